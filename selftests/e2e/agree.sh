# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Functions that compare the output of report and script with that of perf. Sourced after
# lib.sh.

# Without this option, perf searches for kernel files of hundreds of megabytes. The kernel
# takes seconds to print /proc/kallsyms in a guest, so perf gets a copy.
symbols=(--kallsyms kallsyms)
# shellcheck disable=SC2034
mixture=(sh -c "$hotcold 0.5; ls -lR /etc/default /etc/apt >/dev/null")

# Remove differences between the tools that are due to perf: With /proc/kcore, perf
# attributes functions of modules to the kernel, and sometimes to the module's file. It
# resolves a PLT stub to _init or not at all. It resolves the vDSO only with a copy in a
# file. perf 7.3 marks callers in the kernel with [.] instead of [k], and its columns are
# wider than those of older versions. Functions of stripped files are unknown to perf; tprof-lx
# names them by their start.
plainly()
{
	sed -E 's/ \[[^ ]+\] +\[[k.]\]/ [kernel] [k]/
		s/[^ \t]+\+0x[0-9a-f]+\+0x[0-9a-f]+ \(/[unknown] (/
		s/[^ \t]+ \(\[vdso\]\)$/code (vdso)/
		s/\((\[[^]]+\]|[^)]*vmlinux|[^)]*\.ko(\.[a-z]+)?)\)$/([kernel])/
		s/[^ \t]*@plt\+0x[0-9a-f]+ /@plt /
		s/_init\+0x[0-9a-f]+ /@plt /
		s/ +/ /g'
}

# Print the rows of a table, sorted, without comments and call trees. Skip rows of
# addresses without a function, which perf prints in another form if they are callers, and
# of functions that are named by their start; scripts_agree() compares both.
rows()
{
	sed -nE 's/^ +([0-9]+\.[0-9]+%.*[^ ]) *$/\1/p' "$1" |
		grep -vE '\] ((0x)?[0-9a-f]{16}|[^ ]+\+0x[0-9a-f]+|_init|[^ ]*@plt)$|\[vdso\]' |
		plainly | sort
}

# perf report and tprof-lx report must print the same shares and names, to the last digit.
# Differences are shown. At most 4 samples + 1 percent of the samples may differ, and 3
# rows + 5 percent of the rows.
reports_agree()
{
	local file=$1

	shift
	perf report --stdio -g none --no-inline "${symbols[@]}" -i "$file" "$@" \
		>perf.report 2>perf.err ||
		{ cat perf.err; fail "perf report -i $file"; }
	tprof-lx report -i "$file" "$@" >our.report || fail "report -i $file"
	rows perf.report >perf.rows
	rows our.report >our.rows
	[ -s our.rows ] || fail "no rows"
	comm -3 perf.rows our.rows >odd.rows
	awk -v file="$file $*" '
		FILENAME == "our.rows" {
			rows++
			if (!one || $1 + 0 < one)
				one = $1 + 0
			next
		}
		# comm -3 prints rows of perf as they are, and rows of tprof-lx after a
		# tab. If samples are resolved differently, the shares of a name differ.
		{
			odd++
			print "#\t" $0
			sign = /^\t/ ? -1 : 1
			for (i = 1; $i ~ /%$/; i++)
				value[i] = sign * $i
			name = $i
			for (j = i + 1; j <= NF; j++)
				name = name " " $j
			names[name]
			for (j = 1; j < i; j++)
				differs[name, j] += value[j]
		}
		END {
			for (name in names) {
				most = 0
				for (j = 1; j <= 2; j++) {
					by = differs[name, j]
					by = by < 0 ? -by : by
					most = by > most ? by : most
				}
				share += most
			}
			printf "# %s: %d rows, of which %d differ\n", file, rows, odd
			exit share > 1 + 4 * one || odd > 3 + rows / 20
		}' our.rows odd.rows && return
	awk '{ print $NF }' odd.rows | grep -wFf - perf.report our.report
	fail "other shares than perf has"
}

# Print the lines of script in file $2, without the names of threads that perf has not in file $1:
# since perf 7, a thread has no name after its EXIT record.
without_names()
{
	awk '
		# Return the thread, CPU and time of a sample, and set RSTART to their place.
		function place()
		{
			match($0, / [0-9]+ (\[[0-9]+\] )?[0-9]+\.[0-9]+: /)
			return substr($0, RSTART, RLENGTH)
		}
		NR == FNR {
			if ($1 == ":" $2)
				nameless[place()] = $1
			next
		}
		(at = place()) in nameless { $0 = " " nameless[at] substr($0, RSTART) }
		{ print }' "$1" "$2"
}

# Compare scripts without addresses in chains: perf prints addresses in the binary,
# tprof-lx addresses in the process. With a copy of /proc/kallsyms, perf finds no functions
# of trampolines, nor all of modules. The command $2 changes the lines before.
scripts_agree()
{
	local change=${2:-cat}

	perf_script "$1" --no-inline "${symbols[@]}" |
		sed -E 's/^\t *[0-9a-f]+ /\t/' | plainly | "$change" >perf.lines
	tprof-lx script -i "$1" | sed -E 's/^\t *[0-9a-f]+ /\t/' | plainly |
		"$change" >all.lines
	without_names perf.lines all.lines >our.lines
	[ -s our.lines ] || fail "no samples"
	diff perf.lines our.lines >odd.lines
	head -n 40 odd.lines
	awk -v file="$1" -v lines="$(wc -l <our.lines)" '
		/^[<>]/ { odd++ }
		/^<.*\[unknown\] \(\[kernel\]\)$/ { unknown++ }
		END {
			printf "# %s: %d lines, of which %d differ, %d as perf has no function\n", file,
			       lines, odd, unknown
			exit odd - 2 * unknown > lines / 50 || unknown > lines / 20
		}' odd.lines || fail "other functions than perf has"
}

# Run the test on one kernel only: reading files does not depend on the kernel, and perf
# is slow in a guest.
need_perf_once()
{
	have_perf
	case $(uname -r) in
	*-rt-* | 6.*) skip "done on the newest kernel without rt" ;;
	esac
	cp /proc/kallsyms kallsyms || fail "no /proc/kallsyms"
}

# With -N, perf does not copy all recorded binaries, which takes half a minute.
perf_record()
{
	perf record -q -N -e cpu-clock -F 297 "$@" >perf.log 2>&1 ||
		{ cat perf.log; fail "perf record $*"; }
}
