# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# What tprof-lx record says at its end. Sourced by scripts that run in a guest.

# Print the number of samples and that of lost ones, from the messages in file $1. The last one
# is "4,340 samples, 246.3 KiB in FILE, 12.6 s; none lost". If there is none, show the others.
sums()
{
	local samples lost

	samples=$(sed -n 's/,//g; s/^tprof-lx: \([0-9]*\) samples.*/\1/p' "$1")
	lost=$(sed -n 's/,//g; s/^.*; \([0-9]*\) lost.*/\1/p' "$1")
	[ -n "$samples" ] || cat "$1" >&2
	echo "${samples:-0} ${lost:-0}"
}
