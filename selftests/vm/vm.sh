#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Boot a kernel with this machine's own root file system, and run one command in it.
#
# The root is read-only in the guest, with a temporary overlay where programs expect to
# write. The project tree is writable, at the same path; do not change it while the guest
# runs. The command runs as root in the caller's directory. vm.sh exits with the
# command's status, and prints its stdout and stderr to stdout, in the order of writing.
#
# See boot.sh for a guest that dies or takes too long.

set -u -o pipefail

. "$(dirname "$0")/../../scripts/lib.sh"
. "$(dirname "$0")/boot.sh"

usage()
{
	cat <<-END
	usage: vm.sh [options] -- command [argument ...]

	  -k KERNEL   one of $TPROF_VM_KERNELS, or the path of a vmlinuz ($TPROF_MAIN_KERNEL)
	  -c CPUS     virtual CPUs (2)
	  -m MEMORY   guest memory (2G)
	  -t SECONDS  hard limit, boot included (300)
	  -l FILE     keep the console, kernel messages included, in FILE
	  -a ARGS     append ARGS to the kernel's command line
	  -w DIR      make DIR writable in the guest as well
	  --qemu PATH       use this QEMU, without KVM
	  --qemu-opts OPTS  more options for QEMU
	  -h          this text
	END
}

parse()
{
	kernel=$TPROF_MAIN_KERNEL cpus=2 memory=2G limit=300 console='' append='' writable=()
	qemu='' qemu_opts=''
	while [ $# -gt 0 ]; do
		case $1 in
		-h | --help) usage; exit 0 ;;
		--) shift; break ;;
		-*) [ $# -ge 2 ] || die "$1 needs a value" ;;
		*) die "unknown argument '$1' (the command goes after --)" ;;
		esac
		case $1 in
		-k) kernel=$2 ;;
		-c) cpus=$2 ;;
		-m) memory=$2 ;;
		-t) limit=$2 ;;
		-l) console=$2 ;;
		-a) append="$append $2" ;;
		-w) writable+=("$(readlink -f "$2")") ;;
		--qemu) qemu=$2 ;;
		--qemu-opts) qemu_opts=$2 ;;
		*) die "unknown option '$1' (see -h)" ;;
		esac
		shift 2
	done
	[ $# -gt 0 ] || die "no command to run (see -h)"
	command=("$@")
}

find_kernel()
{
	if [ -f "$TPROF_KERNELS/$kernel" ]; then
		image=$TPROF_KERNELS/boot/vmlinuz-$(kernel_release "$kernel")
	else
		image=$kernel
	fi
	[ -r "$image" ] || die "no kernel '$kernel' here: run 'make deps' first"
}

# Does KVM work? On some machines /dev/kvm can be opened but guests do not run.
# So boot a guest without a root file system: its kernel logs that it cannot
# mount one, and panics within two seconds. The result is cached until this
# machine reboots.
kvm_works()
{
	local verdict=$TPROF_CACHE/kvm boot_id answer=no

	boot_id=$(cat /proc/sys/kernel/random/boot_id)
	if [ "$(cut -d' ' -f1 "$verdict" 2>/dev/null)" != "$boot_id" ]; then
		timeout --kill-after=2 20 qemu-system-x86_64 -accel kvm \
			-cpu host -machine q35 -smp 2 -m 512M -nodefaults \
			-display none -serial stdio -no-reboot \
			-kernel "$image" -append "console=ttyS0 panic=-1" \
			</dev/null 2>&1 |
			grep -q "Unable to mount root fs" && answer=yes
		echo "$boot_id $answer" >"$verdict"
	fi
	[ "$(cut -d' ' -f2 "$verdict")" = yes ]
}

# Write the script that runs in the guest: it runs the command and writes its status to
# a file in $run.
write_guest_script()
{
	cat >"$run/guest.sh" <<-END
	$(printf '%q ' "$TPROF_TOP/selftests/vm/root.sh" "$TPROF_TOP" "$run" \
		${writable[@]+"${writable[@]}"}) || exit 2
	cd $(printf %q "$PWD") || exit 2
	$(printf %q "$TPROF_TOP/selftests/vm/tcg.sh") || exit 2
	export TPROF_CACHE=$(printf %q "$TPROF_CACHE")
	echo yes >$(printf %q "$run/began")
	${command[*]@Q} </dev/null 2>&1
	status=\$?
	sync
	echo \$status >$(printf %q "$run/status")
	END
}

# Give the guest the files in directory $2 with tag $1, for root.sh. $3 are more options.
add_files()
{
	qemu_opts+=" -fsdev local,id=$1,path=$2,security_model=none,multidevs=remap$3"
	qemu_opts+=" -device virtio-9p-pci,fsdev=$1,mount_tag=$1"
}

vng_arguments()
{
	args=(--run "$image" --cpus "$cpus" --memory "$memory" --user root
	      --force-9p --verbose --rwdir "$TPROF_TOP")
	for dir in ${writable[@]+"${writable[@]}"}; do
		args+=(--rwdir "$dir")
	done
	add_files root / ,readonly=on
	add_files tree "$TPROF_TOP" ''
	# QEMU polls two files for each port that could be there: 300 by default.
	qemu_opts+=" -global virtio-serial-pci.max_ports=2"

	args+=(--append "$GUEST_KERNEL")
	# Do not load drivers that the tests do not need and that take time at boot.
	args+=(--append "module_blacklist=ahci,kvm_amd,kvm_intel,iTCO_wdt,i2c_i801")
	[ -z "$append" ] || args+=(--append "${append# }")

	if [ -n "$qemu" ]; then
		args+=(--disable-kvm --qemu "$(readlink -f "$qemu")")
	elif ! kvm_works; then
		# Programs run twice as fast with four-level page tables.
		args+=(--disable-kvm --append "$FAST_KERNEL")
		qemu_opts="-cpu max,-la57,$FAST_CPU $qemu_opts"
	fi
	args+=(--qemu-opts="$qemu_opts")
}

# QEMU's stderr is the guest's console, and its stdout the command's output. QEMU opens
# both again by name, which would truncate a regular file, so use pipes.
# shellcheck disable=SC2317,SC2329	# called by boot.sh
boot()
{
	local out printer

	exec {out}> >(cat)
	printer=$!
	PATH=$TPROF_VENV/bin:$PATH timeout --kill-after=10 "$limit" \
		vng "${args[@]}" -- "bash $(printf %q "$run/guest.sh")" \
		</dev/null >&"$out" 2>"$console" {out}>&- &
	vm=$!
	exec {out}>&-
	await_guest
	wait "$printer"
}

has_begun()
{
	[ -e "$run/began" ]
}

command_status()
{
	cat "$run/status" 2>/dev/null
}

parse "$@"
find_kernel
[ -x "$TPROF_VENV/bin/vng" ] || die "virtme-ng is missing: run 'make deps' first"
mkdir -p "$TPROF_TOP/build"
run=$(mktemp -d "$TPROF_TOP/build/vm.XXXXXX")
guest=$kernel
write_guest_script
vng_arguments
run_guest
