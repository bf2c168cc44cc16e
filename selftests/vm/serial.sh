# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# For guests of boot.sh that share no files with this machine. Sourced. The third
# serial line goes to $run/status: "began" when the command starts, then the command's
# status.

# shellcheck disable=SC2154	# run is the script's
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
