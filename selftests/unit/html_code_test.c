// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - the instructions of functions in a page
 *
 * check-page tests what the page shows of them, beside annotate.
 */
#include "annotate_run.h"
#include "html/page_code.h"

static char page[64], *text;

/* Make a page with an option and its value, unless NULL. @text is what its data have as texts. */
static int make_page(const char *option, const char *value)
{
	char *argv[] = { "html", "-i", recording, "-o", page, (char *)option, (char *)value, NULL };
	int status = html_command.run(&html_command, option ? value ? 7 : 6 : 5, argv);
	char command[256];
	size_t len = 0;
	FILE *data;

	snprintf(command, sizeof(command),
		 "sed -n '/id=\"data\">/{n;s/<.*//;p}' %s | base64 -d | gzip -dc | tr -d '\\0'",
		 page);
	free(text);
	text = NULL;
	data = popen(command, "r");
	if (!data || getdelim(&text, &len, 0, data) < 0)
		abort();
	pclose(data);
	return status;
}

static void make_recording(void)
{
	make_program(".globl hot, cold\n"
		     ".type hot, @function\n.type cold, @function\n"
		     "hot:\n\tnop\n\tinc %eax\n\tret\n.size hot, . - hot\n"
		     "cold:\n\tnop\n\tret\n.size cold, . - cold\n", NULL);
	snprintf(page, sizeof(page), "%s/page.html", dir);
	make_events();
	map(program, BASE);
	add_sample(0, BASE + offset_of("cold"), 7);
	add_sample(0, BASE + offset_of("hot") + 1, 20);
	add_sample(0, BASE + offset_of("hot") + 1, 10);
	add_sample(0, BASE + offset_of("hot") + 3, 5);
	write_samples();
}

/* Return the part of the text of a function that follows its name. */
static const char *function(const char *name)
{
	char wanted[64];
	const char *at;

	snprintf(wanted, sizeof(wanted), "{\"name\":\"%s\",\"binary\":\"prog\",", name);
	at = strstr(text, wanted);
	return at ? at + strlen(wanted) : "";
}

static bool begins(const char *at, const char *with)
{
	return !strncmp(at, with, strlen(with));
}

/* Return true if an instruction of @name with this begin has the weight at its end. */
static bool has_weight(const char *name, const char *begin, const char *weight)
{
	const char *at = strstr(function(name), begin), *end = at ? strchr(at, ']') : NULL;

	return end && end - at > (ptrdiff_t)strlen(weight) &&
	       !strncmp(end - strlen(weight), weight, strlen(weight));
}

static void test_rows(void)
{
	unit_ok(!make_page(NULL, NULL) && strstr(text, "\"codeEvents\":[0]") &&
		begins(function("hot"), "\"sums\":[35],\"rows\":[") &&
		begins(function("cold"), "\"sums\":[7],\"rows\":["),
		"functions_have_their_sums_and_instructions");
	unit_ok(function("hot") < function("cold"), "the_hottest_function_is_first");
	unit_ok(has_weight("hot", "[0,1,\"inc", "\",30") &&
		has_weight("hot", "[0,3,\"ret", "\",5") &&
		has_weight("hot", "[0,0,\"nop", "nop\""), "instructions_have_their_weights");
	unit_ok(strstr(function("hot"), "prog.s\",6,\"inc %eax\"]"),
		"lines_of_the_source_are_beside_instructions");
	unit_ok(!make_page("--no-code", NULL) && !strstr(text, "\"code\":"),
		"instructions_can_be_left_out");
}

static void test_room(void)
{
	size_t most = page_code_most;

	page_code_most = 1;
	unit_ok(!make_page(NULL, NULL) && begins(function("hot"), "\"sums\":[35]}") &&
		begins(function("cold"), "\"sums\":[7]}"),
		"functions_without_room_have_only_their_sums");
	unit_ok(!make_page("--function", "cold") && begins(function("hot"), "\"sums\":[35]}") &&
		begins(function("cold"), "\"sums\":[7],\"rows\":["),
		"the_function_that_the_user_asks_for_is_there");
	page_code_most = most;
}

static void test_no_binary(void)
{
	unlink(program);
	unit_ok(!make_page(NULL, NULL) && strstr(text, "\"code\":[]"),
		"without_the_binary_there_are_no_functions");
}

int main(void)
{
	verbosity = -1;
	make_recording();
	test_rows();
	test_room();
	test_no_binary();
	sh("rm -f *");
	rmdir(dir);
	free(text);
	free(got);
	return unit_exit();
}
