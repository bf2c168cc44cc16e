// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - commands with --vmlinux, for a recording of a known kernel
 */
#include "export_records.h"
#include "perfdata/buildid.h"
#include "says.h"
#include "unit.h"

#define KERNEL	0xffffffff81000000ULL	/* as in make_vmlinux() */
#define IDLE	(KERNEL + 0x110)

static char vmlinux[80], stripped[80];

/* Let a sample of ADD(), and the first part of its call chain, be of the kernel. */
static void move_to_kernel(u8 *sample)
{
	const u64 user = PERF_CONTEXT_USER, kernel = PERF_CONTEXT_KERNEL;
	struct perf_event_header header;
	u8 *chain;

	memcpy(&header, sample, sizeof(header));
	header.misc = PERF_RECORD_MISC_KERNEL;
	memcpy(sample, &header, sizeof(header));
	chain = memmem(sample, header.size, &user, sizeof(user));
	if (!chain)
		abort();
	memcpy(chain, &kernel, sizeof(kernel));
}

/* Make a recording of a sample of the function idle, in a kernel with @byte in its build-id. */
static void make_recording_of_kernel(u8 byte)
{
	struct record_trailer task = { .pid = -1, .id = 41 };
	struct mapping text = { .start = KERNEL, .len = 0x1000, .pgoff = KERNEL,
				.name = "[kernel.kallsyms]_text" };
	struct build_id id = { .size = 20 };
	struct feature_set features = { 0 };
	struct dso_set dsos = { 0 };
	size_t len;

	memset(id.data, byte, id.size);
	begin_records(true);
	record_kernel_mmap(&records, &task, &text);
	len = records.len;
	ADD(0, 0, 1, IDLE, PERF_CONTEXT_USER, IN(MAIN));
	move_to_kernel(records.data + len);
	dso_set_add(&dsos, PERF_RECORD_MISC_KERNEL, "[kernel.kallsyms]", &id);
	dso_set_write(&dsos, &features.section[PERFDATA_BUILD_ID]);
	dso_set_free(&dsos);
	end_records_with(&features, 1);
}

static void sh(const char *what)
{
	char command[512];

	snprintf(command, sizeof(command), "cd %s && %s", directory, what);
	if (system(command))
		abort();
}

/* Make the vmlinux of the kernel whose build-id has 0x11 in each byte, with and without symbols. */
static void make_vmlinux(void)
{
	snprintf(vmlinux, sizeof(vmlinux), "%s/vmlinux", directory);
	snprintf(stripped, sizeof(stripped), "%s/stripped", directory);
	sh("echo '.globl _text; _text: .fill 256,1,144; .type idle,@function' >k.s");
	sh("echo 'idle: .fill 64; .size idle,64' >>k.s");
	sh("echo --build-id=0x$(printf '11%.0s' $(seq 20)) -e _text >options");
	sh("echo -Ttext=0xffffffff81000000 >>options");
	sh("gcc -nostdlib -static -Wl,@options -o vmlinux k.s && strip -o stripped vmlinux");
	sh("rm k.s options");
}

/* Return true if the command, with @more before --vmlinux, fails and says @text. */
static bool refuses(const struct command *command, const char *more, const char *file,
		    const char *text)
{
	char *argv[] = { (char *)command->name, (char *)more, "-i", recording, "--vmlinux",
			 (char *)file, "-o", exported, NULL };
	bool has_output = command != &script_command && command != &annotate_command;

	return says(command, STATUS_FAILED, text, argv, has_output ? 8 : 6);
}

static bool all_refuse(const char *file, const char *text)
{
	FILE *terminal = stdout;
	bool is_good;

	stdout = fopen("/dev/null", "we");
	is_good = refuses(&export_command, "folded", file, text) &&
		  refuses(&export_command, "rows", file, text) &&
		  refuses(&html_command, "--no-code", file, text) &&
		  refuses(&filter_command, "--sym=idle", file, text) &&
		  refuses(&script_command, "--json", file, text) &&
		  refuses(&annotate_command, "--json", file, text);
	fclose(stdout);
	stdout = terminal;
	return is_good;
}

int main(void)
{
	verbosity = -1;
	make_functions();
	make_recording_of_kernel(0x11);
	make_vmlinux();
	unit_ok(!run_export("folded", "--vmlinux", vmlinux) && strstr((char *)got, ";idle 1\n"),
		"the vmlinux of the recorded kernel has the names");
	unlink(exported);
	unit_ok(all_refuse(stripped, "has no functions; give the one with debug information"),
		"a vmlinux without functions is refused");
	make_recording_of_kernel(0x22);
	unit_ok(all_refuse(vmlinux, "is not of the kernel of "),
		"the vmlinux of another kernel is refused");
	unit_ok(access(exported, F_OK), "no output is written then");
	make_recording();
	unit_ok(!run_export("rows", "--vmlinux", vmlinux),
		"it does no harm if no sample is of the kernel");
	sh("rm vmlinux stripped");
	remove_files();
	return unit_exit();
}
