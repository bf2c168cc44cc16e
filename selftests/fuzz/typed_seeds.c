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
	"7cycles:u,cpu/event=0xc2,umask=1,period=250000,name=mine/k,nmi,r01c2",
	"7INST_RETIRED:ANY_P:u,instructions:ukH,cpu/cycles,freq=99,random/",
	"8-e\ncycles:u\n-F\nmax\n-a\n-C\n0-3,5\n-m\n1M,16M\n--call-graph\ndwarf,4096\n--\nls",
	"8-c\n1000\n-p\n1,2\n-o\nx\n-D\n5\n--duration\n1.5\n-g\n--max-stack\n20\n-k\nmono",
	":-i\nx\n-s\ncomm,dso,sym\n--time\n1.5,2\n--percent-limit\n3\n-g\n--no-children",
	":-i\nx\n-s\ncomm,time\n--time-quantum\n10ms\n--parent\n^vfs_",
	"9-e\ncycles,nmi\n-a\n-A\n-r\n3\n-I\n100\n-x\n,\n-o\nx\n--\ntrue",
	"=--json\n-i\nnonesuch",
	";-F\ntime,sym,comm\n-t\nsample,comm\n-i\nnonesuch",
	"<cycles\n--json",
	">disable\ngp0\nfixed1\n-C\n0-3",
	">-C\n0\nenable\n--\ngp7\ngp8",
	">--json",
	"?--json",
	"Acontrol\n--json\n-C\n0",
	"Ahelp\nrecord",
	"Areprot\n-g",
	"@speedscope\n-i\nx\n-o\nx\n--time\n1,2\n--inline",
	"@--comm\nx,y\nfolded\n-S\nmain\n-C\n0-3",
	"A--version",
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
