/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx unit tests - a server on the loopback device that keeps what it gets
 *
 * A thread takes one request of each connection, and answers as @sink_answers says.
 */
#ifndef TPROF_PUSH_SINK_H
#define TPROF_PUSH_SINK_H

#include <arpa/inet.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define SINK_MAX	16

/* In place of an answer: close the connection without one, or never answer. */
#define DROP		"drop"
#define SILENT		"silent"

/* Answer before the body is read, and read nothing until sink_go() is called. */
#define EARLY		"early"

/* A short answer, and one with headers. Lines of headers end with \r\n. */
#define ANSWER_WITH(status, headers, body)                              \
	"HTTP/1.1 " status "\r\nConnection: close\r\n" headers "\r\n" body
#define ANSWER(status)	ANSWER_WITH(status, "", "")

struct taken {
	char	head[16384];
	char	*body;
	size_t	len;
};

static const char *sink_answers[SINK_MAX];
static struct taken sink_seen[SINK_MAX];
static size_t sink_nr;
static size_t sink_padding, sink_padded;
static volatile size_t sink_done;
static volatile bool sink_goes;

/* Called before each answer. */
static void (*sink_hook)(void);
static int sink_port;
static int sink_listener;

/* Read up to the end of the head. Return the number of bytes, with a part of the body. */
static inline size_t sink_read_head(int fd, struct taken *seen)
{
	size_t len = 0;
	ssize_t got;

	while (len < sizeof(seen->head) - 1) {
		got = read(fd, seen->head + len, sizeof(seen->head) - 1 - len);
		if (got <= 0)
			break;
		len += got;
		seen->head[len] = '\0';
		if (strstr(seen->head, "\r\n\r\n"))
			break;
	}
	return len;
}

static inline void sink_read(int fd, struct taken *seen)
{
	size_t len = sink_read_head(fd, seen), have;
	char *end = strstr(seen->head, "\r\n\r\n"), *length;
	ssize_t got = 1;

	length = strstr(seen->head, "Content-Length: ");
	if (!end || !length)
		return;
	if (sink_answers[sink_nr] && !strcmp(sink_answers[sink_nr], EARLY))
		return;
	end += 4;
	have = seen->head + len - end;
	seen->len = strtoul(length + 16, NULL, 10);
	seen->body = calloc(1, seen->len + 1);
	memcpy(seen->body, end, have);
	*end = '\0';
	while (have < seen->len && got > 0) {
		got = read(fd, seen->body + have, seen->len - have);
		have += got > 0 ? got : 0;
	}
}

static inline void sink_answer_early(int fd)
{
	send(fd, ANSWER("200 OK"), strlen(ANSWER("200 OK")), MSG_NOSIGNAL);
	shutdown(fd, SHUT_WR);
	while (!sink_goes)
		usleep(1000);
}

static inline void sink_answer(int fd, const char *answer)
{
	static const char padding[4096];
	char byte;
	size_t i;

	if (!answer)
		answer = ANSWER("200 OK");
	if (!strcmp(answer, EARLY)) {
		sink_answer_early(fd);
		return;
	}
	if (!strcmp(answer, DROP))
		return;
	if (!strcmp(answer, SILENT)) {
		/* Until the client gives up. */
		while (read(fd, &byte, 1) > 0)
			;
		return;
	}
	send(fd, answer, strlen(answer), MSG_NOSIGNAL);
	for (i = 0; i < sink_padding; i += sizeof(padding)) {
		if (send(fd, padding, sizeof(padding), MSG_NOSIGNAL) < 0)
			break;
	}
	sink_padded = i;
}

static inline void *sink_run(void *arg)
{
	const char *answer;
	int fd;

	while ((fd = accept4(sink_listener, NULL, NULL, SOCK_CLOEXEC)) >= 0) {
		if (sink_nr == SINK_MAX)
			abort();
		sink_read(fd, &sink_seen[sink_nr]);
		/* The test may go on as soon as it has the answer. */
		if (sink_hook)
			sink_hook();
		answer = sink_answers[sink_nr++];
		sink_answer(fd, answer);
		close(fd);
		sink_done = sink_nr;
	}
	return NULL;
}

/* Begin to listen. The thread ends with the program. */
static inline void sink_start(void)
{
	struct sockaddr_in address = { .sin_family = AF_INET,
				       .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t len = sizeof(address);
	pthread_t thread;

	sink_listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (bind(sink_listener, (struct sockaddr *)&address, len) || listen(sink_listener, 8) ||
	    getsockname(sink_listener, (struct sockaddr *)&address, &len) ||
	    pthread_create(&thread, NULL, sink_run, NULL) || pthread_detach(thread))
		abort();
	sink_port = ntohs(address.sin_port);
}

/* Wait until the thread waits for the next connection. */
static inline void sink_rest(void)
{
	while (sink_done != sink_nr)
		usleep(1000);
}

/*
 * Wait until the thread has ended a connection that the client gave up. The client may have
 * done so before the thread saw the connection, or before there was one, so do not wait for
 * ever. The next answer would otherwise be taken for the old connection.
 */
static inline void sink_await_end(void)
{
	for (int ms = 0; ms < 5000 && !sink_done; ms++)
		usleep(1000);
}

/* Let the thread end the connections with the answer EARLY. */
static inline void sink_go(void)
{
	sink_goes = true;
}

/* Forget all requests and answers. */
static inline void sink_clear(void)
{
	sink_rest();
	for (size_t i = 0; i < SINK_MAX; i++) {
		free(sink_seen[i].body);
		sink_seen[i] = (struct taken){ 0 };
		sink_answers[i] = NULL;
	}
	sink_nr = 0;
	sink_done = 0;
	sink_padding = 0;
}

#endif /* TPROF_PUSH_SINK_H */
