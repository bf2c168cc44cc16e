# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# For guests that boot.sh boots and that share no files with us: the third serial line,
# which goes to $run/status, says "began" when the command does, then its status.
# Sourced.

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
