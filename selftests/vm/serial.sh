# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# Functions that boot.sh needs, for guests that share no files with this machine.
# Sourced. The guest writes to its third serial line, which is the file $run/status:
# "began" when the command begins, then the command's exit status.

# shellcheck disable=SC2154	# the sourcing script sets run
status_line()
{
	tr -d '\r' 2>/dev/null <"$run/status" | sed -n "$1p"
}

has_begun()
{
	[ "$(status_line 1)" = began ]
}

# shellcheck disable=SC2317,SC2329	# called by boot.sh
command_status()
{
	status_line 2
}
