#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Unit tests of scripts/dkms-build.sh: what it says about a failed build. The compilers of
# this machine write the errors, as their words differ between versions.

set -u -o pipefail

script=$(dirname "$(realpath "$0")")/../../scripts/dkms-build.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit
failed=0

# Print the result line of check $1, which succeeded if $2 is 0.
result()
{
	if [ "$2" -eq 0 ]; then
		echo "ok dkms_build_test: $1"
	else
		echo "not ok dkms_build_test: $1"
		failed=1
	fi
}

# Record that test $1 has passed if $2 and $3 are the same.
same()
{
	local status=0

	[ "$2" = "$3" ] || status=1
	result "$1" $status
}

# Check $1: if the command $3... fails, the script must print text $2, once.
says()
{
	local name=$1 text=$2 status

	shift 2
	sh "$script" "$@" >out
	status=$?
	grep '^tprof-lx: ' out >said
	[ $status -ne 0 ] && echo "tprof-lx: $text" | diff - said
	result "$name" $?
}

# Check what the script says if compiler $1 compiles code $3: text $2.
compiling()
{
	local compiler=$1 text=$2 name="$1: ${3//$'\n'/ }"

	if ! command -v "$compiler" >/dev/null; then
		echo "skip dkms_build_test: $name # it is not installed"
		return
	fi
	printf '%s\n' "$3" >x.c
	says "$name" "$text" "$compiler" -c -Werror=implicit-function-declaration \
		-Werror=implicit-int -Werror=incompatible-pointer-types x.c
}

both_compiling()
{
	compiling gcc "$@"
	compiling clang "$@"
}

both_compiling 'this kernel has no gone(): x.c:1' 'int f(void) { return gone(0); }'
both_compiling 'this kernel has no GONE: x.c:1' 'int f(void) { return GONE; }'
both_compiling 'this kernel has no member gone in struct s: x.c:1' \
	'struct s { int a; }; int f(struct s *s) { return s->gone; }'
both_compiling 'this kernel has no member gone in struct s: x.c:1' \
	'struct s { int a; } s = { .gone = 1 };'
both_compiling 'this kernel has no type gone_t: x.c:1' 'gone_t gone;'
both_compiling 'this kernel has no struct gone: x.c:1' \
	'struct gone; int f(struct gone *gone) { return gone->size; }'
both_compiling 'this kernel has no header asm/gone/api.h: x.c:1' '#include <asm/gone/api.h>'
both_compiling 'this kernel has its own new: x.c:1' 'void new(int a); static void new(int a) { }'
both_compiling 'this kernel has its own new: x.c:1' 'void new(int a); void new(long a);'
both_compiling 'this kernel has its own new: x.c:1' 'void new(void) { } void new(void) { }'
both_compiling 'this kernel has its own NEW: x.c:1' 'enum { NEW }; enum { NEW };'

# clang does not name the function that is called with other arguments.
for code in 'int new(void); int f(void) { return new(0); }' \
	    'int new(int a); int f(void) { return new(); }' \
	    'int new(int *a); int f(long *a) { return new(a); }'; do
	compiling gcc "this kernel's new() has other arguments: x.c:1" "$code"
	compiling clang 'this kernel has other arguments for a function: x.c:1' "$code"
done
compiling gcc "this kernel's new() has other arguments: x.c:2" \
	$'#define new(a) 0\nint a = new(1, 2);'
compiling clang 'this kernel has other arguments for a function: x.c:2' \
	$'#define new(a) 0\nint a = new(1, 2);'

compiling gcc '#error why: x.c:1' '#error why'
compiling gcc 'this kernel has no gone(): x.c:2' $'#error why\nint f(void) { return gone(0); }'
says 'option that the compiler does not know' \
	"the compiler is not the kernel's, which knows '-fgone'" gcc -fgone x.c

# Check that the script says text $1 if line $2 is in the log.
reading()
{
	echo "$2" >line
	says "$2" "$1" sh -c 'cat line; exit 1'
}

reading 'this kernel does not export gone' \
	'ERROR: modpost: "gone" [/var/lib/dkms/tprof-lx/0.1.0/build/tprof-lx.ko] undefined!'
reading 'this kernel exports gone only for module:kvm,kvm-amd' \
	'ERROR: modpost: module tprof-lx uses symbol gone from namespace module:kvm,kvm-amd, but does not import it.'
reading 'another message: x' 'ERROR: modpost: another message: x'
reading "a program of the kernel's headers needs GLIBC_2.38" \
	"scripts/basic/fixdep: /lib/x86_64-linux-gnu/libc.so.6: version \`GLIBC_2.38' not found (required by scripts/basic/fixdep)"
reading "the kernel's compiler is not installed: x86_64-linux-gnu-gcc-14" \
	'/bin/sh: 1: x86_64-linux-gnu-gcc-14: not found'
reading "the kernel's compiler is not installed: gcc-14" \
	'/bin/bash: line 1: gcc-14: command not found'
reading "the kernel's compiler is not installed: gcc-14" \
	'make[3]: gcc-14: No such file or directory'
reading '/lib/modules/6.99/build: No such file or directory.  Stop.' \
	'make[1]: *** /lib/modules/6.99/build: No such file or directory.  Stop.'
reading 'this kernel has no gone(): kmod/x.c:7' \
	"$work/kmod/x.c:7:9: error: implicit declaration of function 'gone' [-Wx]"

printf 'x.c:7:9: error: implicit declaration of function \342\200\230gone\342\200\231\n' >log
same 'a log with other quotes is explained' \
	'tprof-lx: this kernel has no gone(): x.c:7' "$(sh "$script" --explain <log)"
sh "$script" sh -c 'exit 7'
same 'the status of the build is kept' 7 $?
same 'the output of a build that succeeds is passed on' $'out\nerr' \
	"$(sh "$script" sh -c 'echo out; echo err >&2' 2>&1)"
same 'no file is left' '' "$(find . -name 'build.*')"

# The kernel's Makefile does not pass LC_ALL on.
LC_ALL=C.UTF-8 LANGUAGE=de sh "$script" sh -c 'unset LC_ALL; locale' >out
grep -q '^LC_CTYPE=C$' out && grep -q '^LC_MESSAGES=C$' out && grep -q '^LANG=C$' out
result "the compiler's messages are not translated" $?
exit $failed
