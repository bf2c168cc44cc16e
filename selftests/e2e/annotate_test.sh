#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# annotate must agree with perf annotate and objdump, and must find the kernel's code.

. "$(dirname "$0")/lib.sh"

here=$(cd "$(dirname "$0")" && pwd)
corpus=$TPROF_TESTS/corpus

test_programs_agree_with_perf_and_objdump()
{
	command -v perf >/dev/null || skip "no perf here"
	cat >job <<-END
	cd $PWD
	$hotcold 1
	$corpus/shapes-plain deep deep 0.2
	$corpus/shapes-static deep static 0.2
	$corpus/shapes-fixed deep fixed 0.2
	$corpus/shapes plugin plugin 0.2 $corpus/plugin.so
	END
	[ ! -x "$corpus/classes" ] || echo "$corpus/classes classes 0.2" >>job
	[ ! -x "$corpus/traits" ] || echo "$corpus/traits traits 0.2" >>job
	must tprof-lx record -q -o user.data -e nmi:u -F 1000 -- sh job
	"$here/check_annotate.py" user.data || fail "other instructions or shares"
}

# Kernel code is read from /proc/kcore, with the parts that the kernel has patched. Zydis and
# objdump must agree about its instructions, tprof-lx and perf about their shares.
test_kernel_code_is_found()
{
	[ -r /proc/kcore ] || skip "no /proc/kcore here"
	must tprof-lx record -q -o kernel.data -e nmi:k -F 500 -- \
		dd if=/dev/zero of=/dev/null bs=4k count=20000
	tprof-lx annotate -i kernel.data --json --percent-limit 0 >ours || fail "annotate"
	tprof-lx annotate -i kernel.data --json --percent-limit 0 --objdump objdump >theirs ||
		fail "annotate --objdump"
	"$here/check_annotate.py" --same ours theirs || fail "other instructions"
	! command -v perf >/dev/null || "$here/check_annotate.py" kernel.data ||
		fail "other shares than perf's"
}

# Without the kernel's symbols and memory, the code in the recording is that of /proc/kcore.
test_kernel_code_is_in_a_self_contained_recording()
{
	local found

	[ -r /proc/kcore ] || skip "no /proc/kcore here"
	must tprof-lx record -q --self-contained -o kernel.data -e nmi:k -F 500 -- \
		dd if=/dev/zero of=/dev/null bs=4k count=20000
	tprof-lx annotate -i kernel.data --json --percent-limit 0 >here || fail "annotate"
	write_useless_kallsyms useless
	tprof-lx annotate -i kernel.data --json --percent-limit 0 --kallsyms useless >elsewhere ||
		fail "annotate elsewhere"
	found=$(grep -c '"code": "found"' elsewhere)
	echo "# code of $found functions"
	[ "$found" -gt 0 ] || { grep '"code"' elsewhere | sort | uniq -c; fail "no code"; }
	[ "$found" -ge "$(grep -c '"code": "found"' here)" ] || fail "code of some functions is missing"
	! command -v perf >/dev/null || perf script -i kernel.data -F ip >perf.out ||
		fail "perf cannot read the recording"
}

main "$1"
