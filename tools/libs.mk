# SPDX-License-Identifier: GPL-2.0-only
#
# The libraries that programs with libtprof.a are linked with; tool_libraries() in
# scripts/lib.sh reads this line, too.

LIBS := -lcap -ldw -lelf -lpfm -liberty -lzstd -lz -lm -lZydis -lncursesw -ltinfo
