#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Build tprof-lx.ko, and the modules that the tests load in addition, for one kernel.
#
# kbuild writes its output to the source directory, and this tree is built for many
# kernels. So build in build/<release>[-clang]/, a directory with symbolic links to the
# sources.

set -eu -o pipefail

. "$(dirname "$0")/lib.sh"

usage()
{
	cat <<-END
	usage: module.sh [--clang | --gcc N] [--selftests] [--strict] [--sparse] [KDIR]

	  --clang      build with clang, even if gcc has built the kernel
	  --gcc N      build with version N of gcc instead of that which built the kernel
	  --selftests  also build selftests/modules
	  --strict     fail if there are warnings
	  --sparse     check the sources with sparse as well
	  --larger     build with larger structs in the interface, as a later version may
	               have them (in build/<release>-larger)
	  KDIR         build tree of the kernel (default: the running kernel's)
	END
}

# Debian's kernels are configured for gcc. To build with clang, override the config options
# that depend on the compiler by their values for clang. Disable one warning: macros of Linux
# since 6.15 give percpu variables their address space twice, which gcc allows.
clang_options()
{
	local version

	version=$("${where[@]}" clang -dumpversion | awk -F. '{ print $1 * 10000 + $2 * 100 + $3 }')
	cat >"$dir/clang.h" <<-END
	#undef CONFIG_CC_IS_GCC
	#undef CONFIG_CC_HAS_NAMED_AS
	#undef CONFIG_USE_X86_SEG_SUPPORT
	#define CONFIG_CC_IS_CLANG 1
	END
	options+=(LLVM=1 CC=clang KCFLAGS="-include $dir/clang.h -Wno-duplicate-decl-specifier"
		  CONFIG_CC_IS_GCC='' CONFIG_GCC_VERSION=0
		  CONFIG_CC_IS_CLANG=y CONFIG_CLANG_VERSION="$version"
		  CONFIG_CC_IMPLICIT_FALLTHROUGH=-Wimplicit-fallthrough
		  CONFIG_CC_HAS_AUTO_VAR_INIT_ZERO_ENABLER="$([ "$version" -ge 160000 ] || echo y)"
		  CONFIG_CC_HAS_MIN_FUNCTION_ALIGNMENT=''
		  CONFIG_UBSAN_BOUNDS_STRICT='' CONFIG_UBSAN_ARRAY_BOUNDS=y
		  CONFIG_FTRACE_MCOUNT_USE_CC=''
		  CONFIG_RETHUNK='' CONFIG_MITIGATION_RETHUNK=''
		  CONFIG_SLS='' CONFIG_MITIGATION_SLS='')
}

link_sources()
{
	mkdir -p "$dir/selftests"
	ln -sfn "$TPROF_TOP/Kbuild" "$TPROF_TOP/dkms.conf" "$dir/"
	cp -rsf "$TPROF_TOP/kmod" "$TPROF_TOP/include" "$dir/"
	[ ! -d "$TPROF_TOP/selftests/modules" ] ||
		cp -rsf "$TPROF_TOP/selftests/modules" "$dir/selftests/"
	find "$dir" -xtype l -delete
	[ -z "$larger" ] || "$TPROF_TOP/selftests/larger.sh" "$dir"
}

# Print the version of gcc that has built the kernel, if Debian's has.
gcc_of_kernel()
{
	sed -nE 's/^CONFIG_CC_VERSION_TEXT=".*gcc-([0-9]+) .*/\1/p' "$kdir/.config"
}

# Choose where kbuild runs: here, or in a root directory with the release of Debian that has
# what the kernel's headers and the compiler need.
choose_root()
{
	local release=trixie version package packages=()

	[ -z "$gcc" ] || options+=(CC="gcc-$gcc")
	version=${gcc:-$(gcc_of_kernel)}
	packages=(${version:+"gcc-$version"})
	[ "$cc" != clang ] || packages=(clang lld llvm)
	if kbuild_runs_here "$kdir" && { [ "$cc" = clang ] || [ -z "$version" ] ||
					 command -v "gcc-$version" >/dev/null; }; then
		return
	fi
	[ "${version:-0}" -le 14 ] || release=sid
	where=("$TPROF_TOP/scripts/root.sh" "$release")
	for package in ${packages[@]+"${packages[@]}"}; do
		where+=(-p "$package")
	done
}

# Run kbuild on directory M. Write its output to a log; print only errors and warnings. kbuild
# goes on after what sparse calls an error. The lint of the same name checks kernel-doc
# comments, once for all kernels (cmd_checkdoc). The flags of a make that calls this script are
# not kbuild's: "make -s" would leave out the lines that show what sparse has checked.
kbuild()
{
	local m=$1 log

	shift
	log=$dir/$(basename "$m").log
	if ! MAKEFLAGS='' "${where[@]}" make -j"$(nproc)" -C "$kdir" M="$m" W=1 cmd_checkdoc= "${options[@]}" "$@" \
		modules >"$log" 2>&1; then
		cat "$log" >&2
		return 1
	fi
	if [ -n "$sparse" ] && ! grep -q '^ *CHECK ' "$log"; then
		say "sparse has checked nothing: see $log" >&2
		return 1
	fi
	grep -E 'warning:|WARNING:|error:' "$log" |
		grep -v -e 'the compiler differs from the one' \
			-e 'pahole version differs from the one' >&2 || return 0
	[ -z "$strict" ]
}

build()
{
	kbuild "$dir" || return
	[ -z "$selftests" ] || [ ! -d "$dir/selftests/modules" ] ||
		kbuild "$dir/selftests/modules" \
			KBUILD_EXTRA_SYMBOLS="$dir/Module.symvers"
}

cc=gcc gcc='' larger='' selftests='' sparse='' strict='' kdir='' options=() where=(env)
while [ $# -gt 0 ]; do
	case $1 in
	--clang) cc=clang ;;
	--gcc) gcc=${2:?--gcc needs a version}; shift ;;
	--selftests) selftests=yes ;;
	--strict) strict=yes ;;
	--sparse) sparse=yes ;;
	--larger) larger=yes ;;
	-h | --help) usage; exit 0 ;;
	-*) die "unknown option '$1'" ;;
	*) kdir=$1 ;;
	esac
	shift
done

[ -n "$kdir" ] || kdir=$(default_header_tree)
[ -n "$kdir" ] || die "no kernel headers here: install them or run 'make deps'"
release=$(tree_release "$kdir") ||
	die "$kdir is not the build tree of a kernel"
dir=$TPROF_TOP/build/$release${gcc:+-gcc$gcc}
choose_root
grep -q '^CONFIG_CC_IS_CLANG=y' "$kdir/.config" && llvm=1 || llvm=
if [ -n "$llvm" ]; then
	options+=(LLVM=1)
elif [ "$cc" = clang ]; then
	dir=$dir-clang
	mkdir -p "$dir"
	clang_options
elif gcc -fcallgraph-info=su -E -x c /dev/null >/dev/null 2>&1; then
	# Write the callees and stack size of each function to *.ci, for the lint nmi.
	options+=(KCFLAGS=-fcallgraph-info=su)
fi
[ -z "$larger" ] || dir=$dir-larger

# Debian's headers of Linux 7.2 and newer lack the script with which their Makefile looks for
# sparse, and the Makefile then unsets the variable that C sets, unless make was given it.
[ -z "$sparse" ] || options+=(C=2 KBUILD_CHECKSRC=2)

# Compile with gcov if the kernel supports it, as those of debug-kernel.sh do.
! grep -q '^CONFIG_GCOV_KERNEL=y' "$kdir/.config" || options+=(GCOV_PROFILE=y)

mkdir -p "$dir"
exec {lock}>"$dir/.lock"
flock "$lock"
link_sources
if ! build; then
	# Make the next run compile everything, so that it shows the warnings again.
	find "$dir" -name '*.o' -delete
	say "$release $cc$gcc: failed" >&2
	exit 1
fi
say "$release $cc$gcc: built in ${dir#"$TPROF_TOP/"}"
