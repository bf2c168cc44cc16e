// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx fuzzing - write the first command lines of typed_fuzzer's corpus: typed_seeds DIR
 */
#include <err.h>
#include <stdio.h>
#include <unistd.h>

#include "base/types.h"

/*
 * The first byte modulo 10 selects how the rest is used. For example, '2' is 50, so its
 * value modulo 10 is 0, which selects events.
 */
static const char *const lines[] = {
	"2cycles:u,cpu/event=0xc2,umask=1,period=250000,name=mine/k,nmi,r01c2",
	"2INST_RETIRED:ANY_P:u,instructions:ukH,cpu/cycles,freq=99,random/",
	"3-e\ncycles:u\n-F\nmax\n-a\n-C\n0-3,5\n-m\n1M,16M\n--call-graph\ndwarf,4096\n--\nls",
	"3-c\n1000\n-p\n1,2\n-o\nx\n-D\n5\n--duration\n1.5\n-g\n--max-stack\n20\n-k\nmono",
	"5-i\nx\n-s\ncomm,dso,sym\n--time\n1.5,2\n--percent-limit\n3\n-g\n--no-children",
	"4-e\ncycles,nmi\n-a\n-A\n-r\n3\n-I\n100\n-x\n,\n-o\nx\n--\ntrue",
	"8--json\n-i\nnonesuch",
	"6-F\ntime,sym,comm\n-t\nsample,comm\n-i\nnonesuch",
	"7cycles\n--json",
	"9disable\ngp0\nfixed1\n-C\n0-3",
	"9-C\n0\nenable\n--\ngp7\ngp8",
	"9--json",
	":--json",
	";control\n--json\n-C\n0",
	";help\nrecord",
	";reprot\n-g",
	";--version",
};

int main(int argc, char **argv)
{
	char name[16];
	FILE *file;

	if (argc != 2 || chdir(argv[1]))
		errx(2, "usage: typed_seeds DIR");
	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		snprintf(name, sizeof(name), "line%zu", i);
		file = fopen(name, "we");
		if (!file)
			err(1, "%s", name);
		fputs(lines[i], file);
		fclose(file);
	}
	return 0;
}
