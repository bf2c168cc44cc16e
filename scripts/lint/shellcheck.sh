#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The scripts, by shellcheck.

set -u -o pipefail

. "$(dirname "$0")/../sources.sh"

shell_sources | xargs -r shellcheck
