// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - unwind tables of this machine's libraries, against readelf
 *
 * `readelf -wF` prints each row of .eh_frame and .debug_frame. It is the oracle for how to
 * find the frame's address, the caller's rbx and rbp, and the return address.
 */
#include <dirent.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "perfdata/buildid.h"
#include "unit.h"
#include "unwind/object.h"

#define LIBRARIES	"/usr/lib/x86_64-linux-gnu"
#define NR_LIBRARIES	30

/**
 * struct oracle - the rows that readelf prints
 * @rbx:	column of rbx, or 0
 * @rbp:	column of rbp, or 0
 * @ra:		column of the return address, or 0
 * @end:	end of the present function
 * @nr:		number of rows compared
 * @nr_wrong:	number of rows that differ
 */
struct oracle {
	int	rbx;
	int	rbp;
	int	ra;
	u64	end;
	u64	nr;
	u64	nr_wrong;
};

static GElf_Phdr code[8];
static size_t nr_code;

static bool read_code(int fd)
{
	Elf *elf = elf_begin(fd, ELF_C_READ, NULL);
	size_t nr = 0, i;

	nr_code = 0;
	if (!elf || elf_getphdrnum(elf, &nr))
		return false;
	for (i = 0; i < nr && nr_code < ARRAY_SIZE(code); i++) {
		gelf_getphdr(elf, i, &code[nr_code]);
		nr_code += code[nr_code].p_type == PT_LOAD && code[nr_code].p_flags & PF_X;
	}
	elf_end(elf);
	return nr_code;
}

static bool find_offset(u64 addr, u64 *offset)
{
	size_t i;

	for (i = 0; i < nr_code; i++) {
		if (addr - code[i].p_vaddr >= code[i].p_filesz)
			continue;
		*offset = addr - code[i].p_vaddr + code[i].p_offset;
		return true;
	}
	return false;
}

/* Compare the address of the frame, such as "rsp+8" or "exp". */
static bool is_frame(const struct tprof_lx_unwind_rule *rule, const char *text)
{
	static const char *const names[16] = {
		"rax", "rdx", "rcx", "rbx", "rsi", "rdi", "rbp", "rsp",
		"r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15",
	};
	char expected[32];

	if (!strcmp(text, "exp"))
		return rule->how == TPROF_LX_UNWIND_DEREF || rule->how == TPROF_LX_UNWIND_PLT ||
		       rule->how == TPROF_LX_UNWIND_CUT || rule->how == TPROF_LX_UNWIND_SIGNAL;
	snprintf(expected, sizeof(expected), "%s%+d",
		 names[TPROF_LX_UNWIND_REGISTER(rule->base)], rule->offset);
	return rule->how == TPROF_LX_UNWIND_CFA && !strcmp(text, expected);
}

/* Compare the caller's rbp: "c-16", "u", which stands for no rule too, or another rule. */
static bool is_rbp(const struct tprof_lx_unwind_rule *rule, const char *text)
{
	char expected[16];

	if (!text || !strcmp(text, "u") || !strcmp(text, "s"))
		return rule->rbp == TPROF_LX_UNWIND_RBP_SAME ||
		       (text && rule->rbp == TPROF_LX_UNWIND_RBP_UNDEFINED);
	if (text[0] != 'c')
		return rule->rbp == TPROF_LX_UNWIND_RBP_UNDEFINED;
	snprintf(expected, sizeof(expected), "c%+d", rule->rbp);
	return !strcmp(text, expected);
}

/* Compare the caller's rbx in the same way. It is in a rule only down to CFA - 120. */
static bool is_rbx(const struct tprof_lx_unwind_rule *rule, const char *text)
{
	u8 place = TPROF_LX_UNWIND_RBX_PLACE(rule->base);
	int offset = text && text[0] == 'c' ? atoi(text + 1) : 0;

	if (!text || !strcmp(text, "u") || !strcmp(text, "s"))
		return place == TPROF_LX_UNWIND_RBX_SAME;
	if (offset > -16 || offset < -120)
		return place == TPROF_LX_UNWIND_RBX_UNKNOWN;
	return place > TPROF_LX_UNWIND_RBX_SAME && -8 * place == offset;
}

static bool is_row(const struct unwind_table *table, u64 addr, char *const *word,
		   const struct oracle *oracle)
{
	const char *ra = oracle->ra ? word[oracle->ra] : "u";
	const struct tprof_lx_unwind_rule *rule;
	u64 offset;

	/* Some rows describe code that the file does not have. */
	if (!find_offset(addr, &offset))
		return true;
	rule = unwind_table_find(table, offset);
	if (!rule)
		return false;
	if (!strcmp(word[1], "exp") && strcmp(ra, "c-8"))
		return rule->how == TPROF_LX_UNWIND_SIGNAL || rule->how == TPROF_LX_UNWIND_CUT;
	if (!strcmp(ra, "u"))
		return rule->how == TPROF_LX_UNWIND_END;
	if (strcmp(ra, "c-8") || rule->how == TPROF_LX_UNWIND_CUT)
		return rule->how == TPROF_LX_UNWIND_CUT && (strcmp(ra, "c-8") ||
							    !strcmp(word[1], "exp"));
	return is_frame(rule, word[1]) &&
	       is_rbp(rule, oracle->rbp ? word[oracle->rbp] : NULL) &&
	       is_rbx(rule, oracle->rbx ? word[oracle->rbx] : NULL);
}

/* Split a line into words. A register is printed as "r10 (r10)"; leave out its second name. */
static int split(char *line, char **word, int max)
{
	char *rest = NULL, *at = strtok_r(line, "\n ", &rest);
	int nr = 0;

	for (; at && nr < max; at = strtok_r(NULL, "\n ", &rest)) {
		word[nr] = at;
		nr += *at != '(';
	}
	return nr;
}

static void take_line(struct oracle *oracle, const struct unwind_table *table, char *line)
{
	const char *range = strstr(line, " FDE ") ? strstr(line, "pc=") : NULL;
	char *word[24] = { NULL }, *end;
	int nr, i;
	u64 addr;

	if (range) {
		oracle->end = strtoull(strstr(range, "..") + 2, NULL, 16);
		return;
	}
	if (strstr(line, " CIE "))
		oracle->end = 0;
	nr = split(line, word, ARRAY_SIZE(word));
	if (nr >= 2 && !strcmp(word[0], "LOC")) {
		oracle->rbx = 0;
		oracle->rbp = 0;
		oracle->ra = 0;
		for (i = 2; i < nr; i++) {
			oracle->rbx = strcmp(word[i], "rbx") ? oracle->rbx : i;
			oracle->rbp = strcmp(word[i], "rbp") ? oracle->rbp : i;
			oracle->ra = strcmp(word[i], "ra") ? oracle->ra : i;
		}
		return;
	}
	if (nr < 2 || strlen(word[0]) != 16 || !oracle->end)
		return;
	addr = strtoull(word[0], &end, 16);
	if (*end || addr >= oracle->end)
		return;
	oracle->nr++;
	if (!is_row(table, addr, word, oracle) && oracle->nr_wrong++ < 5)
		printf("# %s: %s %s\n", word[0], word[1], word[oracle->ra]);
}

/* Compare the table of a library with readelf. Return the number of rows, or 0. */
static u64 compare(const char *path, u64 *nr_wrong)
{
	struct oracle oracle = { 0 };
	struct unwind_table table;
	char command[512], *line = NULL;
	int fd = open_regular(path);
	size_t room = 0;
	FILE *out;

	if (fd < 0 || !read_code(fd) || unwind_object(fd, NULL, &table)) {
		close(fd);
		return 0;
	}
	close(fd);
	snprintf(command, sizeof(command), "readelf -wF '%s' 2>/dev/null", path);
	out = popen(command, "re");
	while (out && getline(&line, &room, out) > 0)
		take_line(&oracle, &table, line);
	if (out)
		pclose(out);
	free(line);
	if (!unwind_table_is_valid(&table))
		oracle.nr_wrong++;
	if (oracle.nr_wrong)
		printf("# %s: %llu of %llu rows differ\n", path, oracle.nr_wrong, oracle.nr);
	*nr_wrong += oracle.nr_wrong;
	unwind_table_free(&table);
	return oracle.nr;
}

/* Leave out large ones: readelf takes seconds for them. */
static int is_library(const struct dirent *entry)
{
	char path[512];
	struct stat st;

	snprintf(path, sizeof(path), "%s/%s", LIBRARIES, entry->d_name);
	return strstr(entry->d_name, ".so.") && entry->d_type == DT_REG && !stat(path, &st) &&
	       st.st_size < 4 << 20;
}

static void test_libraries(void)
{
	struct dirent **entries = NULL;
	int nr = scandir(LIBRARIES, &entries, is_library, alphasort), i, done = 0;
	u64 rows = 0, found, wrong = 0;
	char path[512];

	if (access("/lib/x86_64-linux-gnu/libc.so.6", R_OK) == 0) {
		done++;
		rows += compare("/lib/x86_64-linux-gnu/libc.so.6", &wrong);
	}
	for (i = 0; i < nr && done < NR_LIBRARIES; i++) {
		snprintf(path, sizeof(path), "%s/%s", LIBRARIES, entries[i]->d_name);
		found = compare(path, &wrong);
		done += found > 100;
		rows += found;
	}
	for (i = 0; i < nr; i++)
		free(entries[i]);
	free(entries);
	printf("# %d libraries, %llu rows, %llu differ\n", done, rows, wrong);
	if (done < NR_LIBRARIES) {
		unit_skip("tables_of_libraries_have_the_rows_of_readelf",
			  "this machine has too few libraries in " LIBRARIES);
		return;
	}
	unit_ok(!wrong, "tables_of_libraries_have_the_rows_of_readelf");
}

int main(void)
{
	elf_version(EV_CURRENT);
	if (system("readelf --version >/dev/null 2>&1"))
		unit_skip("tables_of_libraries_have_the_rows_of_readelf", "readelf is not installed");
	else
		test_libraries();
	return unit_exit();
}
