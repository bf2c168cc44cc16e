#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Check the kernel's style by checkpatch.pl. If the variable TPROF_CHANGED_SINCE names a
# commit, check only the lines that have changed since then.
#
# Not checked anywhere:
#   FILE_PATH_CHANGES	there is no MAINTAINERS file to update
#   CONST_STRUCT	has a list of structs, which are all the kernel's
#   LINUX_VERSION_CODE	versions.sh checks where a version may be named
#   CONSTANT_COMPARISON	takes LINUX_VERSION_CODE for a constant on the left
#   LONG_LINE_STRING	messages are not split, so that grep finds them
#   CAMELCASE		ELF and libraries have such names
#   COMPLEX_MACRO, MACRO_ARG_REUSE	iterators and tables are macros
#   STATIC_CONST	takes inline for a type in a diff
#   SPACING		takes FIXTURE_DATA(x) *p for a multiplication, and %0 in an asm for a
#			division; format.sh checks blanks
#
# Not checked in user-space code and in the headers that it shares with test modules:
#   PREFER_DEFINED_ATTRIBUTE_MACRO, BIT_MACRO, STRCPY, STRNCPY,
#   SSCANF_TO_KSTRTO, MSLEEP	the kernel's replacements do not exist there
#   VOLATILE		signal handlers and busy loops need it
#   BRACES		the harness's macros expand to several statements
#   STATIC_CONST_CHAR_ARRAY	execve(2) takes no const argv
#   PREFER_KERNEL_TYPES, NEW_TYPEDEFS, MEMORY_BARRIER	unit/kernel.h defines
#			the kernel's types and barriers for user space

set -u -o pipefail

. "$(dirname "$0")/../sources.sh"

everywhere=FILE_PATH_CHANGES,CONST_STRUCT,LINUX_VERSION_CODE,CONSTANT_COMPARISON
everywhere+=,LONG_LINE_STRING,CAMELCASE,COMPLEX_MACRO,MACRO_ARG_REUSE,SPACING
everywhere+=,STATIC_CONST
user=$everywhere,PREFER_DEFINED_ATTRIBUTE_MACRO,BIT_MACRO,STRCPY,STRNCPY
user+=,SSCANF_TO_KSTRTO,MSLEEP,VOLATILE,BRACES
user+=,STATIC_CONST_CHAR_ARRAY,PREFER_KERNEL_TYPES,NEW_TYPEDEFS,MEMORY_BARRIER
readonly everywhere user

# Check the files that stdin lists. $1 is not checked.
#
# Changed lines are checked first, because that is faster. A removed line between a comment and
# its line hides the comment, so a file with a warning is then checked as a whole.
checkpatch()
{
	local check=("$TPROF_SOURCE/scripts/checkpatch.pl" --no-tree --strict --terse
		     --no-summary --quiet --show-types --max-line-length=100 --ignore "$1")

	if [ -z "${TPROF_CHANGED_SINCE:-}" ]; then
		xargs -r "${check[@]}" --file
	else
		xargs -r git diff --no-renames "$TPROF_CHANGED_SINCE" -- |
			{ "${check[@]}" --no-signoff --showfile - || [ $? = 1 ]; } |
			cut -d: -f1 | sort -u | xargs -r "${check[@]}" --file
	fi
}

# checkpatch.pl creates a file with a list of names in the working directory.
trap 'rm -f .checkpatch-camelcase.*' EXIT

# Print the C files to check.
sources()
{
	if [ -n "${TPROF_CHANGED_SINCE:-}" ]; then
		git diff --name-only --diff-filter=d "$TPROF_CHANGED_SINCE" -- '*.c' '*.h'
	else
		c_sources
	fi
}

readonly kernel_side='^(kmod|include)/|^selftests/modules/[^/]*\.c$|/fake\.h$'

status=0
sources | sed -nE "\,$kernel_side,p" | checkpatch "$everywhere" || status=1
sources | sed -E "\,$kernel_side,d" | checkpatch "$user" || status=1
exit $status
