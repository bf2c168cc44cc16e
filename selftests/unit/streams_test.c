// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - closed standard streams, and the reason why output was lost
 */
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/say.h"
#include "cli/streams.h"
#include "unit.h"

#define BUFFER	4096

/* Run @test in a process of its own, and return true if it does. */
static bool passes(bool (*test)(void))
{
	int status;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (!pid)
		_exit(test() ? 0 : 1);
	return pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status) &&
	       !WEXITSTATUS(status);
}

static bool fails_to_write(int fd)
{
	return write(fd, "x", 1) < 0 && errno == EBADF;
}

static bool a_file_gets_no_number_of_a_stream(void)
{
	char byte;

	close(STDIN_FILENO);
	close(STDOUT_FILENO);
	close(STDERR_FILENO);
	return !streams_open() && open("/dev/null", O_RDWR | O_CLOEXEC) > STDERR_FILENO &&
	       fails_to_write(STDOUT_FILENO) && fails_to_write(STDERR_FILENO) &&
	       read(STDIN_FILENO, &byte, 1) < 0 && errno == EBADF;
}

/* As a command finds them that tprof-lx runs. */
static bool a_command_finds_closed_streams_closed(void)
{
	close(STDIN_FILENO);
	close(STDERR_FILENO);
	return !streams_open() && !system("test ! -e /proc/$$/fd/0 -a -e /proc/$$/fd/1 -a ! -e /proc/$$/fd/2");
}

static bool open_streams_stay(void)
{
	return !streams_open() && !fcntl(STDOUT_FILENO, F_GETFD) &&
	       open("/dev/null", O_RDONLY | O_CLOEXEC) > STDERR_FILENO;
}

static bool lost_output_is_a_failure(void)
{
	close(STDOUT_FILENO);
	if (streams_open())
		return false;
	printf("count");
	return finish_output(STATUS_OK) == STATUS_FAILED;
}

static bool a_lost_message_is_a_failure(void)
{
	close(STDERR_FILENO);
	if (streams_open() || finish_output(STATUS_OK) != STATUS_OK)
		return false;
	say_note("count");
	return finish_output(STATUS_OK) == STATUS_FAILED && finish_output(STATUS_USAGE) == 2;
}

static bool a_reader_may_close_the_pipe(void)
{
	int ends[2];

	signal(SIGPIPE, SIG_IGN);
	if (pipe(ends) || dup2(ends[1], STDOUT_FILENO) < 0)
		return false;
	close(ends[0]);
	printf("count");
	return finish_output(STATUS_OK) == STATUS_OK;
}

/* The write fails when the buffer is full, and nothing remains to be written. */
static int error_of_whole_buffers(const char *path)
{
	static char text[BUFFER], buffer[BUFFER];
	FILE *stream = fopen(path, "we");
	int err;

	if (!stream || setvbuf(stream, buffer, _IOFBF, BUFFER))
		abort();
	fwrite(text, 1, BUFFER, stream);
	fflush(stream);
	errno = ENOENT;
	err = stream_error(stream);
	fclose(stream);
	return err;
}

int main(void)
{
	unit_ok(passes(a_file_gets_no_number_of_a_stream), "a_file_gets_no_number_of_a_stream");
	unit_ok(passes(a_command_finds_closed_streams_closed),
		"a_command_finds_closed_streams_closed");
	unit_ok(passes(open_streams_stay), "open_streams_stay");
	unit_ok(passes(lost_output_is_a_failure), "lost_output_is_a_failure");
	unit_ok(passes(a_lost_message_is_a_failure), "a_lost_message_is_a_failure");
	unit_ok(passes(a_reader_may_close_the_pipe), "a_reader_may_close_the_pipe");
	unit_ok(error_of_whole_buffers("/dev/full") == -ENOSPC &&
		error_of_whole_buffers("/dev/null") == 0, "a_full_disk_is_named");
	return unit_exit();
}
