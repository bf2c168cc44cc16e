#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Convert the manual pages to HTML in build/html, with links between them.

set -eu -o pipefail

. "$(dirname "$0")/lib.sh"
cd "$TPROF_TOP"

rm -rf build/html
mkdir -p build/html
cp Documentation/man/manual.css build/html/
for page in build/tools/man/*; do
	mandoc -T html -O style=manual.css,man=%N.%S.html "$page" \
		>"build/html/${page##*/}.html"
done

# Remove links to manual pages of other projects.
cd build/html
grep -oh 'class="Xr" href="[^"]*"' ./*.html | cut -d'"' -f4 | sort -u |
	while read -r target; do
		[ -e "$target" ] || sed -i -E \
			"s,<a class=\"Xr\" href=\"$target\">([^<]*)</a>,\\1,g" ./*.html
	done
cp tprof-lx.1.html index.html
echo "$PWD/index.html"
