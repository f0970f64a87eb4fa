/* broker-client.c - join a session whose files this process cannot open. See broker-client.h. */
#define _GNU_SOURCE
#include "session/broker-client.h"

#include "session/anchor.h"
#include "session/open.h"
#include "session/sys.h"

#include <poll.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>

enum {
	PATIENCE_MS = 500,
	/* The time between two looks at the socket counts at most this: while the machine, or a
	 * container without CPU time, pauses, the broker cannot answer. */
	LOOK_MS = 25,
	RETRY_NS = 5000000, /* while the queue of the socket is full */
};

/* A conversation with the broker. */
struct talk {
	int fd;
	int64_t last_ms; /* the last look, by CLOCK_MONOTONIC */
	int64_t left_ms; /* of PATIENCE_MS */
};

static int64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Whether the broker has not answered in time. */
static bool is_overdue(struct talk *talk)
{
	int64_t now = now_ms(), past = now - talk->last_ms;

	talk->last_ms = now;
	talk->left_ms -= past < LOOK_MS ? past : LOOK_MS;
	return talk->left_ms <= 0;
}

/* Waits until the socket is ready. Returns: 0 or -ETIMEDOUT */
static int await(struct talk *talk, short events)
{
	struct pollfd ready = {.fd = talk->fd, .events = events};

	for (;;) {
		int result = poll(&ready, 1, LOOK_MS);

		if (result > 0)
			return 0;
		if (result < 0 && errno != EINTR)
			return -errno;
		if (is_overdue(talk))
			return -ETIMEDOUT;
	}
}

/* Splits "NAME:TOKEN". */
static int parse(const char *broker, struct sockaddr_un *address, socklen_t *size, char *token)
{
	const char *colon = strrchr(broker, ':');
	size_t length = colon != NULL ? (size_t)(colon - broker) : 0;

	if (colon == NULL || length == 0 || length >= sizeof(address->sun_path) ||
	    strlen(colon + 1) != LTTP_BROKER_TOKEN_BYTES)
		return -EINVAL;
	memset(address, 0, sizeof(*address));
	address->sun_family = AF_UNIX;
	memcpy(address->sun_path + 1, broker, length);
	*size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + length);
	memcpy(token, colon + 1, LTTP_BROKER_TOKEN_BYTES);
	return 0;
}

static long send_now(const struct talk *talk, const void *bytes, size_t size)
{
	return syscall(SYS_sendto, talk->fd, bytes, size, MSG_NOSIGNAL, NULL, 0);
}

/* Connects and sends the request. */
static int begin(struct talk *talk, const char *broker, struct lttp_broker_request *request)
{
	struct sockaddr_un address;
	socklen_t size;
	int result = parse(broker, &address, &size, request->token);

	talk->fd = -1;
	if (result != 0)
		return result;
	memcpy(request->magic, LTTP_BROKER_MAGIC, sizeof(request->magic));
	talk->last_ms = now_ms();
	talk->left_ms = PATIENCE_MS;
	talk->fd = lttp_above_standard((int)lttp_result(
		socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)));
	if (talk->fd < 0)
		return talk->fd;
	while (syscall(SYS_connect, talk->fd, &address, size) != 0) {
		if (errno != EAGAIN && errno != EINTR)
			return -errno;
		if (is_overdue(talk))
			return -ETIMEDOUT;
		lttp_sleep_ns(RETRY_NS);
	}
	return send_now(talk, request, sizeof(*request)) == (long)sizeof(*request) ? 0 : -errno;
}

/* The files that came with a message. */
struct received {
	struct lttp_broker_reply reply;
	int fds[LTTP_BROKER_FILES];
};

static void close_files(struct received *received)
{
	for (int i = 0; i < LTTP_BROKER_FILES; i++) {
		lttp_close(received->fds[i]);
		received->fds[i] = -1;
	}
}

static void take_files(struct msghdr *message, struct received *received)
{
	for (struct cmsghdr *part = CMSG_FIRSTHDR(message); part != NULL;
	     part = CMSG_NXTHDR(message, part)) {
		size_t size = part->cmsg_len - CMSG_LEN(0);

		if (part->cmsg_level == SOL_SOCKET && part->cmsg_type == SCM_RIGHTS &&
		    size <= sizeof(received->fds))
			memcpy(received->fds, CMSG_DATA(part), size);
	}
	for (int i = 0; i < LTTP_BROKER_FILES; i++)
		received->fds[i] = lttp_above_standard(received->fds[i]);
}

/* Receives the next reply. A file for which the process has no descriptor is -1. */
static int hear(struct talk *talk, struct received *received)
{
	union {
		struct cmsghdr header;
		char bytes[CMSG_SPACE(sizeof(received->fds))];
	} control;
	struct iovec bytes = {&received->reply, sizeof(received->reply)};
	struct msghdr message = {.msg_iov = &bytes,
				 .msg_iovlen = 1,
				 .msg_control = &control,
				 .msg_controllen = sizeof(control)};
	ssize_t n;
	int result;

	memset(received->fds, -1, sizeof(received->fds));
	do {
		result = await(talk, POLLIN);
		if (result != 0)
			return result;
		n = syscall(SYS_recvmsg, talk->fd, &message, MSG_CMSG_CLOEXEC);
	} while (n < 0 && (errno == EAGAIN || errno == EINTR));
	if (n < 0)
		return -errno;
	take_files(&message, received);
	if (n != sizeof(received->reply) || received->reply.files > LTTP_BROKER_FILES ||
	    strnlen(received->reply.directory, PATH_MAX) == PATH_MAX)
		return -ECONNREFUSED;
	return received->reply.result;
}

static int find(const struct received *received, uint32_t which)
{
	for (uint32_t i = 0; i < received->reply.files; i++) {
		if (received->reply.which[i] == which)
			return received->fds[i];
	}
	return -1;
}

static void anchor_files(struct lttp_session *session, const struct received *received,
			 enum lttp_session_use use)
{
	for (uint32_t i = 0; i < received->reply.files; i++) {
		uint32_t which = received->reply.which[i];

		/* Another process of the session may have created a tracefile. */
		if (which < LTTP_BROKER_STATE && received->fds[i] >= 0 &&
		    (use != LTTP_SESSION_ATTACH_OWN || lttp_session_trusts(received->fds[i], use)))
			lttp_anchor_set(session, which, received->fds[i]);
	}
}

/* The first reply has the files of the session itself. */
static int take_session(struct lttp_session *session, const struct received *received,
			enum lttp_session_use use)
{
	int state = find(received, LTTP_BROKER_STATE), lock = find(received, LTTP_BROKER_LOCK);

	if (state < 0 || lock < 0)
		return -EMFILE;
	memcpy(session->directory, received->reply.directory, sizeof(session->directory));
	return lttp_session_take(session, state, lock, use);
}

static int hear_all(struct lttp_session *session, struct talk *talk, struct received *received,
		    enum lttp_session_use use)
{
	int result = hear(talk, received);

	if (result == 0)
		result = take_session(session, received, use);
	if (result != 0)
		return result;
	lttp_anchors_make(session);
	while (received->reply.files > 0) {
		anchor_files(session, received, use);
		close_files(received);
		/* The files received so far are sufficient. */
		if (hear(talk, received) != 0)
			break;
	}
	return 0;
}

int lttp_session_receive(struct lttp_session *session, const char *broker, bool with_lanes,
			 enum lttp_session_use use)
{
	struct lttp_broker_request request = {.what = with_lanes ? LTTP_BROKER_JOIN_WITH_LANES
								 : LTTP_BROKER_JOIN};
	struct received *received = lttp_map_memory(sizeof(*received));
	struct talk talk;
	int result;

	if (received == NULL)
		return -ENOMEM;
	memset(session, 0, sizeof(*session));
	memset(received->fds, -1, sizeof(received->fds));
	result = begin(&talk, broker, &request);
	if (result == 0)
		result = hear_all(session, &talk, received, use);
	close_files(received);
	lttp_close(talk.fd);
	munmap(received, sizeof(*received));
	return result;
}

int lttp_broker_describe(const struct lttp_session *session, const char *name, uint32_t checksum,
			 const char *xml)
{
	struct lttp_broker_request request = {.what = LTTP_BROKER_DESCRIBE, .checksum = checksum};
	struct received *received;
	size_t size = strlen(xml);
	struct talk talk;
	int result;

	if (session->broker[0] == 0 || size > LTTP_BROKER_TEXT_MAX ||
	    strlen(name) >= sizeof(request.name))
		return -EACCES;
	received = lttp_map_memory(sizeof(*received));
	if (received == NULL)
		return -ENOMEM;
	memset(received->fds, -1, sizeof(received->fds));
	request.text_bytes = (uint32_t)size;
	memcpy(request.name, name, strlen(name));
	result = begin(&talk, session->broker, &request);
	while (result == 0 && size > 0) {
		size_t part = size < LTTP_BROKER_TEXT_BYTES ? size : LTTP_BROKER_TEXT_BYTES;
		long n = send_now(&talk, xml, part);

		if (n < 0 && errno == EAGAIN)
			result = await(&talk, POLLOUT);
		else if (n < 0)
			result = -errno;
		else
			xml += n, size -= (size_t)n;
	}
	if (result == 0)
		result = hear(&talk, received);
	close_files(received);
	lttp_close(talk.fd);
	munmap(received, sizeof(*received));
	return result;
}
