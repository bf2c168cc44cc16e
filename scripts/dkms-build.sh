#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Run the command that builds the module. If it fails, print a line that says why, so that
# no user needs to read the errors of a compiler:
#
#	tprof-lx: this kernel has no get_dumpable(): kmod/target/target_follow.c:260
#
# If the kernel lacks what the module uses, the text begins with "this kernel". The doctor
# relies on that. The exit status is that of the command. DKMS runs this script on any
# distribution, so it uses only the shell, sed and coreutils.
#
# usage: dkms-build.sh COMMAND [ARGUMENT ...]
#        dkms-build.sh --explain <LOG

set -u

# Print what each error in the log on stdin means. A digit before it is its rank: 1 if the
# kernel or this system lacks something, 2 for other errors of the compiler and of modpost, 3
# for what make says at the end. The patterns have the messages of gcc and of clang.
meanings()
{
	sed -nE "
		s|^$PWD/||
		s/(‘|’)/'/g
		s| \[-W[^]]*\]\$||
		/^[^ :]+:[0-9]+:([0-9]+:)? (fatal )?error: /b compiler

		s/^ERROR: modpost: \"([^\"]*)\" .* undefined!/1this kernel does not export \1/p
		s/^ERROR: modpost: .* uses symbol ([^ ]*) from namespace ([^ ]*), .*/1this kernel exports \1 only for \2/p
		s/^ERROR: modpost: /2/p
		s/^.*: version .(GLIBC_[0-9.]*). not found.*/1a program of the kernel's headers needs \1/p
		s/^[^ ]*(sh|make)[^ ]*: ((line )?[0-9]+: )?([^ ]*(gcc|clang|ld\.lld)[^ ]*): .*/1the kernel's compiler is not installed: \4/p
		s/^[^ ]*(gcc|cc1|clang)[^ ]*: error: [^']*('[^']*').*/1the compiler is not the kernel's, which knows \2/p
		s/^make[^ ]*: \*\*\* /3/p
		d

		:compiler
		h
		s/^([^ :]+:[0-9]+):.*/\1/
		x
		s/^.* error: //
		t known
		:known
		s/^(implicit declaration of|call to undeclared( library)?) function '([^']*)'.*/this kernel has no \3()/
		s/^'([^']*)' undeclared.*/this kernel has no \1/
		s/^use of undeclared identifier '([^']*)'.*/this kernel has no \1/
		s/^unknown type name '([^']*)'.*/this kernel has no type \1/
		s/^'([^']*)' has no member named '([^']*)'.*/this kernel has no member \2 in \1/
		s/^no member named '([^']*)' in '([^']*)'.*/this kernel has no member \1 in \2/
		s/^field designator '([^']*)' does not refer to any field in type '([^']*)'.*/this kernel has no member \1 in \2/
		s/^.*(undefined type|incomplete type|incomplete definition of type) '([^']*)'.*/this kernel has no \2/
		s/^([^ ']*): No such file or directory\$/this kernel has no header \1/
		s/^'([^']*)' file not found\$/this kernel has no header \1/
		s/^too (few|many) arguments to function '([^']*)'.*/this kernel's \2() has other arguments/
		s/^(passing|incompatible type for) argument [0-9]+ (of|to) '([^']*)'.*/this kernel's \3() has other arguments/
		s/^macro \"([^\"]*)\" (requires|passed) .*/this kernel's \1() has other arguments/
		s/^(too (few|many) arguments|incompatible .* passing) .*/this kernel has other arguments for a function/
		s/^(conflicting types for|static declaration of|redefinition of|redeclaration of enumerator|redefinition of enumerator) '([^']*)'.*/this kernel has its own \2/
		t lacks
		s/^/2/
		b place
		:lacks
		s/^/1/
		:place
		G
		s/\n/: /p"
}

explain()
{
	meanings | sort -s -k 1.1,1.1 | sed -n '1s/^./tprof-lx: /p'
}

if [ "$1" = --explain ]; then
	explain
	exit
fi

# The kernel's Makefile removes LC_ALL from the environment.
unset LC_ALL LANGUAGE
export LANG=C LC_CTYPE=C LC_MESSAGES=C
echo 0 >build.status
{ "$@" 2>&1 || echo $? >build.status; } | tee build.log
read -r status <build.status
[ "$status" -eq 0 ] || explain <build.log
rm build.log build.status
exit "$status"
