# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# The parts build and dkms, and what must be built before guests boot. Sourced by check.sh.

# Build the module for tree $1 with compiler $2 and option $3 of module.sh.
job_module()
{
	step build "$(tree_release "$1")-$2" scripts/module.sh --strict "$3" "$1"
}

# Build the programs that guests run.
job_programs()
{
	step build tools make -j"$(nproc)" tools EXTRA_CFLAGS=-Werror
	step build selftests make -j"$(nproc)" selftests
}

# Build the lab's emulator. If it cannot be built here, the tests of counters are skipped.
job_emulator()
{
	say "building the lab's emulator, once: this takes some minutes"
	step lab emulator selftests/lab/build.sh
}

# Print the build trees of the kernels that guests of this check boot; in a full check, of all
# kernels here.
trees_to_build()
{
	local kernel

	if [ -n "$FULL" ]; then
		header_trees
		return
	fi
	for kernel in $(booted_kernels); do
		kernel_tree "$kernel"
	done
}

# The guests load the modules that gcc has built. A full check also builds by clang, and a module
# with larger structs, for e2e/abi/.
build_jobs()
{
	local kdir

	echo "100 beside programs"
	for kdir in $(trees_to_build); do
		echo "30 beside module $kdir gcc --selftests"
		[ -z "$FULL" ] || echo "30 beside module $kdir clang --clang"
	done
	if [ -n "$FULL" ]; then
		echo "30 beside module $(kernel_tree "$TPROF_MAIN_KERNEL") larger --larger"
	fi
}

job_dkms()
{
	step dkms "$(tree_release "$1")" scripts/dkms.sh try "$1"
}

# What DKMS does depends on dkms.conf, not on the kernel. So one tree is enough, except in a
# full check. DKMS builds only for kernels that this machine's release can build for: the
# newest of those in Debian 12 is 6.12.
dkms_jobs()
{
	local kdir

	if [ -z "$FULL" ]; then
		echo "40 beside dkms $(kernel_tree 6.12)"
		return
	fi
	for kdir in $(header_trees); do
		! kbuild_runs_here "$kdir" || echo "40 beside dkms $kdir"
	done
}

# Print the jobs that must end before the jobs of parts $@ begin, each preceded by its part:
# they build what the guests of these parts need.
jobs_before()
{
	case " $* " in
	*' build '*) build_jobs | sed 's/^/build /' ;;
	*' quick '*)
		echo "build 100 beside programs"
		echo "build 30 beside module $(kernel_tree "$TPROF_MAIN_KERNEL") gcc --selftests"
		;;
	*' debug '* | *' manual '*) echo "build 100 beside programs" ;;
	esac
	case " $* " in
	*' lab '* | *' debug '*)
		selftests/lab/build.sh --is-built || echo "lab 600 beside emulator"
		;;
	esac
}
