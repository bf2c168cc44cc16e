#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Check the spelling in code and documents.

set -u

. "$(dirname "$0")/../sources.sh"

codespell --skip='./build,./.git,*.patch' --ignore-words=scripts/lint/codespell.words .
