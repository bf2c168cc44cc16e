// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - processes and mappings in /proc
 */
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "live/procfs.h"
#include "unit.h"

static const char mapped_file[] =
	"7f0000001000-7f0000003000 r-xp 00002000 fe:0a 12345   /usr/lib/a b.so (deleted)\n";
static const char highest[] =
	"ffffffffff600000-ffffffffff601000 --xp 00000000 00:00 0   [vsyscall]\n";

static bool parse(const char *text, struct mapping *map)
{
	static char line[256];

	snprintf(line, sizeof(line), "%s", text);
	return procfs_parse_map(line, map);
}

static void test_maps(void)
{
	struct mapping map;

	unit_ok(parse(mapped_file, &map) &&
		map.start == 0x7f0000001000 && map.len == 0x2000 &&
		map.pgoff == 0x2000 && map.major == 0xfe && map.minor == 10 &&
		map.ino == 12345 && map.prot == (PROT_READ | PROT_EXEC) &&
		map.flags == MAP_PRIVATE &&
		!strcmp(map.name, "/usr/lib/a b.so (deleted)"),
		"a mapped file is parsed");
	unit_ok(parse("1000-2000 rwxs 00000000 00:00 0 ", &map) &&
		!strcmp(map.name, "//anon") && map.flags == MAP_SHARED &&
		map.prot == (PROT_READ | PROT_WRITE | PROT_EXEC),
		"anonymous executable memory is parsed");
	unit_ok(parse(highest, &map) &&
		!strcmp(map.name, "[vsyscall]"),
		"the highest mapping is parsed");
	unit_ok(parse("1000-2000 rw-p 00000000 00:00 0 [heap]\n", &map) &&
		map.prot == (PROT_READ | PROT_WRITE),
		"a mapping of data is parsed");
	unit_ok(!parse("2000-1000 r-xp 00000000 00:00 0 ", &map) &&
		!parse("garbage\n", &map) && !parse("", &map) &&
		!parse("1000-2000 r-xp\n", &map),
		"lines that are no mapping are refused");
}

static const struct process *find(const struct process_table *table, s32 pid)
{
	for (size_t i = 0; i < table->nr; i++) {
		if (table->all[i].pid == pid)
			return &table->all[i];
	}
	return NULL;
}

/* Fork a child with a name that looks like the fields after it in /proc/PID/stat. */
static pid_t fork_waiting(void)
{
	pid_t pid = fork();

	if (pid == 0) {
		prctl(PR_SET_NAME, "x) R 1 (y");
		pause();
		_exit(0);
	}
	return pid;
}

static int count_thread(void *arg, s32 pid, s32 tid)
{
	*(int *)arg += pid == tid ? 1 : 100;
	return 0;
}

static void test_tree(void)
{
	pid_t child = fork_waiting();
	s32 self = getpid(), init = 1;
	struct process_table table;
	const struct process *found;
	char comm[COMM_LEN];
	int threads = 0;

	/* Wait until the child has set its name. */
	for (int i = 0; i < 1000; i++) {
		if (!procfs_comm(child, child, comm) && comm[0] == 'x')
			break;
		usleep(1000);
	}
	unit_ok(!strcmp(comm, "x) R 1 (y"), "the name of a thread is read");
	unit_ok(!procfs_each_thread(child, count_thread, &threads) &&
		threads == 1, "the threads of a process are listed");

	process_table_read(&table);
	found = find(&table, child);
	unit_ok(found && found->ppid == self,
		"the parent of a process is read, whatever its name");
	process_table_want(&table, &self, 1);
	found = find(&table, child);
	unit_ok(found && found->wanted && find(&table, self)->wanted &&
		!find(&table, getppid())->wanted,
		"the tree of a process has all its descendants");
	process_table_want(&table, &init, 1);
	unit_ok(find(&table, getppid())->wanted,
		"the tree of init has our parent");
	process_table_free(&table);

	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	unit_ok(procfs_comm(child, child, comm) < 0,
		"a process that is gone has no name");
}

int main(void)
{
	test_maps();
	test_tree();
	return unit_exit();
}
