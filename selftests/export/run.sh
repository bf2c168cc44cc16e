#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Run check_export.py with the programs that scripts/deps.sh export installs.
#
# usage: run.sh TPROF_LX [RECORDING]

set -eu

. "$(dirname "$0")/../../scripts/lib.sh"

[ -x "$TPROF_ORACLES/bin/pprof" ] || die "no pprof in $TPROF_ORACLES: run 'make check-export'"
exec "$TPROF_ORACLES/bin/python" -B "$TPROF_TOP/selftests/export/check_export.py" "$@"
