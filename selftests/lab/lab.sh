#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Run a command in a guest with a PMU. QEMU emulates the guest with a model of Intel's
# and AMD's counters (qemu-pmu.patch), where counts are exact. Mode "stock" runs this
# machine's own QEMU, which has no PMU.
#
# The guest runs from memory and has only the files of initramfs.sh. The exit status is
# the same as vm.sh's, or 4 if the emulator has not been built.

set -u -o pipefail

. "$(dirname "$0")/../../scripts/lib.sh"
. "$(dirname "$0")/../vm/boot.sh"
. "$(dirname "$0")/../vm/serial.sh"
. "$(dirname "$0")/emulator.sh"

readonly SKIPPED=4
readonly FEW_CPUS=8

usage()
{
	cat <<-END
	usage: lab.sh [options] MODE -- command [argument ...]
	       lab.sh --modes     the modes there are

	  -k KERNEL   one of $TPROF_VM_KERNELS, or 7.3-kasan... of
	              debug-kernel.sh ($TPROF_MAIN_KERNEL)
	  -c CPUS     virtual CPUs (2; 4 in a mode with cores of two kinds)
	  -m MEMORY   guest memory (1G)
	  -t SECONDS  hard limit, boot included (300)
	  -l FILE     keep the console, kernel messages included, in FILE
	  -g FILE     write to FILE which lines of the module ran, if the kernel
	              records that (for coverage.sh)
	  -q SOCKET   QEMU's monitor answers on this UNIX socket
	  -i          count time in instructions: one CPU, or -c after it, in one
	              thread. With one CPU, every run repeats exactly
	  -h          this text
	END
}

# Print the name of each mode and its -cpu option. The plain modes come first. Variants
# have another number of counters, other cycles per instruction, or 32-bit counter
# writes. The counters of amd-mute do not count. Accesses to some registers of amd-fault
# raise #GP. In modes with x-pmu-ecores=2, the last two CPUs are efficient cores.
modes()
{
	local intel_hybrid=max,vendor=GenuineIntel,family=6,x-pmu-ecores=2

	cat <<-END
	stock	max,-la57
	intel-v1	Skylake-Server,x-pmu=intel-v1
	intel-v2	Skylake-Server,x-pmu=intel-v2
	intel-v3	Skylake-Server,x-pmu=intel-v3
	intel-v4	Skylake-Server,x-pmu=intel-v4
	intel-v5	Skylake-Server,x-pmu=intel-v5
	intel-max	max,vendor=GenuineIntel,family=6,model=85,stepping=4,x-pmu=intel-v4
	amd-k7	qemu64,x-pmu=amd-k7
	amd-core	EPYC,x-pmu=amd-core
	amd-v2	EPYC-Milan,x-pmu=amd-v2
	amd-v2-zen4	EPYC,family=25,model=17,x-pmu=amd-v2
	intel-v1-gp1	Skylake-Server,x-pmu=intel-v1,x-pmu-gp=1,x-pmu-cpi=3
	intel-v2-32bit	Skylake-Server,x-pmu=intel-v2,x-pmu-fw-write=off,x-pmu-gp=3,x-pmu-cpi=1000
	intel-v3-gp5	Skylake-Server,x-pmu=intel-v3,x-pmu-gp=5,x-pmu-fixed=2,x-pmu-cpi=7
	intel-v4-gp7	Skylake-Server,x-pmu=intel-v4,x-pmu-gp=7,x-pmu-cpi=2
	intel-v5-gp8	Skylake-Server,x-pmu=intel-v5,x-pmu-gp=8,x-pmu-fixed=4,x-pmu-cpi=1000
	amd-v2-gp5	EPYC-Milan,x-pmu=amd-v2,x-pmu-gp=5,x-pmu-cpi=3
	alder-lake	$intel_hybrid,model=151,stepping=2,x-pmu=intel-v5,x-pmu-gp=8,x-pmu-fixed=4,x-pmu-lbr=on,x-pmu-pebs=4
	lunar-lake	$intel_hybrid,model=189,stepping=1,x-pmu=intel-v6,x-pmu-gp=8,x-pmu-fixed=4,x-pmu-ecore-gp=8,x-pmu-pebs=4
	amd-mute	EPYC,x-pmu=off
	amd-fault	EPYC,x-pmu=amd-core,x-pmu-gp=2
	END
}

# Print the value of property $1 in the mode's -cpu option, or the default $2.
property()
{
	local value=${cpu##*,"$1"=}

	[ "$value" != "$cpu" ] || value=$2
	echo "${value%%,*}"
}

parse()
{
	kernel=$TPROF_MAIN_KERNEL cpus='' memory=1G limit=300 console='' icount='' mode='' monitor=''
	coverage=/dev/null
	while [ $# -gt 0 ]; do
		case $1 in
		-h | --help) usage; exit 0 ;;
		--modes) modes; exit 0 ;;
		-i) icount=yes; cpus=1; shift; continue ;;
		-c[0-9]*) cpus=${1#-c}; shift; continue ;;
		--) shift; break ;;
		-?) [ $# -ge 2 ] || die "$1 needs a value" ;;
		*) mode=$1; shift; continue ;;
		esac
		case $1 in
		-k) kernel=$2 ;;
		-c) cpus=$2 ;;
		-m) memory=$2 ;;
		-t) limit=$2 ;;
		-l) console=$2 ;;
		-q) monitor=$2 ;;
		-g) coverage=$2 ;;
		*) die "unknown option '$1' (see -h)" ;;
		esac
		shift 2
	done
	if [ -z "$mode" ] || [ $# -eq 0 ]; then
		die "no mode or no command (see -h)"
	fi
	command=("$@")
	cpu=$(modes | awk -F'\t' -v mode="$mode" '$1 == mode { print $2 }')
	[ -n "$cpu" ] || die "no mode '$mode' (see --modes)"
	[ -n "$cpus" ] || cpus=$(($(property x-pmu-ecores 0) + 2))
}

find_emulator()
{
	local dir

	if [ "$mode" = stock ]; then
		emulator=(qemu-system-x86_64)
	elif dir=$(emulator_dir); then
		emulator=("$dir/qemu-system-x86_64" -L "$dir/share")
	else
		say "no emulator with a PMU here: build it with 'make lab'" >&2
		exit $SKIPPED
	fi
}

# Rebuild the file system of a release if any of its files is newer.
make_initrd()
{
	local base=$TPROF_TOP/build/lab/$release.cpio

	mkdir -p "$TPROF_TOP/build/lab"
	exec {lock}>"$base.lock"
	flock "$lock"
	if [ ! -e "$base" ] || [ -n "$(find "$TPROF_TOP/build/$release" \
		"$TPROF_TOP/build/selftests" "$TPROF_TOP/build/tools/tprof-lx" \
		"$TPROF_TOP/selftests" "$TPROF_TOP/scripts" \
		"$TPROF_TOP/Documentation/man" -newer "$base" \
		-type f -print -quit)" ]; then
		"$TPROF_TOP/selftests/lab/initramfs.sh" "$release" "$base.new" ||
			die "cannot make the guest's file system"
		mv "$base.new" "$base"
	fi
	write_job
	{ cat "$base" && (cd "$run" && echo job | cpio --quiet -H newc -o); } \
		>"$run/initrd"
	flock -u "$lock"
}

write_job()
{
	local gp=4 fixed=3 hold="bash selftests/vm/tcg.sh --emulated" counters=$mode

	# With -i, one thread emulates all CPUs, so tcg.sh is not needed, and would
	# disturb the benchmark.
	[ -z "$icount" ] || hold=true
	[ "$mode" != stock ] || counters=''
	case $(property x-pmu off) in
	intel-v1 | amd-k7) fixed=0 ;;
	amd-*) gp=6 fixed=0 ;;
	esac
	cat >"$run/job" <<-END
	${counters:+export TPROF_LAB_MODE=$counters TPROF_LAB_ICOUNT=$icount}
	export TPROF_LAB_CPI=$(property x-pmu-cpi 1)
	export TPROF_LAB_GP=$(property x-pmu-gp "$gp")
	export TPROF_LAB_FIXED=$(property x-pmu-fixed "$fixed")
	cd /tprof || exit 2
	$hold || exit 2
	echo began >/dev/ttyS2
	${command[*]@Q}
	END
}

boot()
{
	local accel=tcg,thread=multi options=() without=-cx16 more=norandmaps

	# Let KASAN report each bug, not only the first; poison freed pages.
	[[ $kernel != *-kasan ]] || more="$more kasan_multi_shot page_poison=1"
	if [ -n "$icount" ]; then
		accel=tcg,thread=single
		options=(-icount "shift=1,sleep=off")
	elif [ "$cpus" -gt 1 ]; then
		more="$more $FAST_KERNEL"
		without=$FAST_CPU
		# The kernel patches itself while it boots: see tcg.sh, which brings the
		# other CPUs online. The more CPUs translate code, the more often that fails.
		[ "$cpus" -le "$FEW_CPUS" ] || more="$more maxcpus=1"
	fi
	[ -z "$monitor" ] || options+=(-monitor "unix:$monitor,server=on,wait=off")
	timeout --kill-after=10 "$limit" "${emulator[@]}" -accel "$accel" ${options[@]+"${options[@]}"} \
		-machine q35 -smp "$cpus" -m "$memory" -cpu "$cpu,$without" \
		-nodefaults -display none -no-reboot \
		-serial "file:$console" -serial stdio \
		-serial "file:$run/status" -serial "file:$coverage" \
		-kernel "$TPROF_KERNELS/boot/vmlinuz-$release" \
		-initrd "$run/initrd" \
		-append "console=ttyS0 $GUEST_KERNEL nmi_watchdog=0 quiet $more" \
		</dev/null 2>"$run/qemu.err" &
	vm=$!
	await_guest
	[ $vm_status -eq 0 ] || cat "$run/qemu.err" >&2
}

parse "$@"
find_emulator
release=$(kernel_release "$kernel")
mkdir -p "$TPROF_TOP/build"
run=$(mktemp -d "$TPROF_TOP/build/lab.XXXXXX")
guest="$mode, $kernel"
make_initrd
run_guest
