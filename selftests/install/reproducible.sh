#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Check that the tarball of a commit is reproducible: make it here, and in a clone with
# another umask, time zone and locale.

set -eu -o pipefail

. "$(dirname "$0")/../../scripts/lib.sh"

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
here=$("$TPROF_TOP/scripts/dist.sh")
git clone -q "$TPROF_TOP" "$dir/elsewhere"
there=$(umask 0077; TZ=Pacific/Auckland LC_ALL=C "$dir/elsewhere/scripts/dist.sh")
cmp "$TPROF_TOP/$here" "$dir/elsewhere/$there"
sha256sum "$TPROF_TOP/$here"
