/* Joining a session through a broker: a thread that answers as each test says. */
#define _GNU_SOURCE
#include "support-faults.h"
#include "support-session.h"
#include "unit.h"

#include "session/anchor.h"
#include "session/broker-client.h"
#include "session/directory.h"
#include "session/open.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#define TOKEN "0123456789abcdef0123456789abcdef"

/* What the broker answers, and what it has got. */
typedef struct Broker {
	int socket;
	char address[100];
	GThread *thread;
	unsigned replies; /* to send */
	struct lttp_broker_reply reply[3];
	int fds[3][LTTP_BROKER_FILES];
	gsize size; /* of each */
	struct lttp_broker_request request;
	GByteArray *text;
	unsigned messages; /* of the text */
} Broker;

static int listen_at(const char *name, int backlog)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);

	memcpy(address.sun_path + 1, name, strlen(name));
	CU_ASSERT_EQUAL_FATAL(
		bind(fd, (struct sockaddr *)&address,
		     (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + strlen(name))),
		0);
	CU_ASSERT_EQUAL_FATAL(listen(fd, backlog), 0);
	return fd;
}

static int away_from_zero(int fd)
{
	int moved = fcntl(fd, F_DUPFD_CLOEXEC, 10);

	close(fd);
	return moved;
}

static void broker_open(Broker *broker)
{
	static unsigned number;
	g_autofree char *name = g_strdup_printf("libltt-unit-%d-%u", getpid(), number++);

	memset(broker, 0, sizeof(*broker));
	g_snprintf(broker->address, sizeof(broker->address), "%s:" TOKEN, name);
	broker->socket = away_from_zero(listen_at(name, 1));
	broker->text = g_byte_array_new();
	broker->size = sizeof(broker->reply[0]);
}

/* Adds a file to the reply @number. */
static void broker_add(Broker *broker, unsigned number, uint32_t which, int fd)
{
	struct lttp_broker_reply *reply = &broker->reply[number];

	broker->fds[number][reply->files] = fd;
	reply->which[reply->files++] = which;
}

static void send_reply(int fd, const Broker *broker, unsigned number)
{
	const struct lttp_broker_reply *reply = &broker->reply[number];
	union {
		struct cmsghdr header;
		char bytes[CMSG_SPACE(sizeof(broker->fds[0]))];
	} control = {.bytes = ""};
	struct iovec bytes = {(void *)(uintptr_t)reply, broker->size};
	struct msghdr message = {.msg_iov = &bytes, .msg_iovlen = 1};
	unsigned files = MIN(reply->files, LTTP_BROKER_FILES);

	if (files > 0) {
		message.msg_control = &control;
		message.msg_controllen = CMSG_SPACE(files * sizeof(int));
		control.header = (struct cmsghdr){.cmsg_len = CMSG_LEN(files * sizeof(int)),
						  .cmsg_level = SOL_SOCKET,
						  .cmsg_type = SCM_RIGHTS};
		memcpy(CMSG_DATA(&control.header), broker->fds[number], files * sizeof(int));
	}
	sendmsg(fd, &message, MSG_NOSIGNAL);
}

static void *serve(void *data)
{
	Broker *broker = data;
	int fd = away_from_zero(accept(broker->socket, NULL, NULL));
	static char bytes[LTTP_BROKER_TEXT_BYTES + 1];

	recv(fd, &broker->request, sizeof(broker->request), 0);
	while (broker->text->len < broker->request.text_bytes) {
		gssize n = recv(fd, bytes, sizeof(bytes), 0);

		if (n <= 0)
			break;
		g_byte_array_append(broker->text, (guint8 *)bytes, (guint)n);
		broker->messages++;
	}
	for (unsigned i = 0; i < broker->replies; i++)
		send_reply(fd, broker, i);
	close(fd);
	return NULL;
}

static void broker_start(Broker *broker, unsigned replies)
{
	broker->replies = replies;
	broker->thread = g_thread_new("broker", serve, broker);
}

static void broker_close(Broker *broker)
{
	if (broker->thread != NULL)
		g_thread_join(broker->thread);
	g_byte_array_unref(broker->text);
	close(broker->socket);
}

/* A session, and the files of it that a broker passes. */
static TestSession new_session(const char *name, int *state, int *lock, int *processes)
{
	TestSession test = test_session_new(name, 0, LTTP_SESSION_WATCH);

	*state = away_from_zero(lttp_session_file(test.session, "info/session", O_RDWR));
	*lock = away_from_zero(lttp_session_file(test.session, "info/lock", O_RDWR));
	*processes = away_from_zero(lttp_session_file(test.session, "control/processes", O_RDWR));
	CU_ASSERT_TRUE(*state >= 0 && *lock >= 0 && *processes >= 0);
	return test;
}

static void test_joining(void)
{
	int state, lock, processes;
	TestSession test = new_session("joining", &state, &lock, &processes);
	g_autofree struct lttp_session *joined = g_new0(struct lttp_session, 1);
	Broker broker;

	broker_open(&broker);
	broker_add(&broker, 0, LTTP_ANCHOR_PROCESSES, processes);
	broker_add(&broker, 0, LTTP_BROKER_STATE, state);
	broker_add(&broker, 0, LTTP_BROKER_LOCK, lock);
	broker_add(&broker, 1, LTTP_ANCHOR_TRACEFILES + 1, processes);
	g_strlcpy(broker.reply[0].directory, test.session->directory, PATH_MAX);
	broker_start(&broker, 3);
	CU_ASSERT_EQUAL(lttp_session_receive(joined, broker.address, false, LTTP_SESSION_ATTACH),
			0);
	g_thread_join(g_steal_pointer(&broker.thread));
	CU_ASSERT_EQUAL(memcmp(broker.request.magic, LTTP_BROKER_MAGIC, 8), 0);
	CU_ASSERT_EQUAL(memcmp(broker.request.token, TOKEN, 32), 0);
	CU_ASSERT_EQUAL(broker.request.what, LTTP_BROKER_JOIN);
	UNIT_ASSERT_TEXT(joined->directory, test.session->directory);
	CU_ASSERT_PTR_NOT_NULL(joined->lock);
	CU_ASSERT_TRUE(lttp_anchor_is_set(joined, LTTP_ANCHOR_PROCESSES));
	CU_ASSERT_FALSE(lttp_anchor_is_set(joined, LTTP_ANCHOR_FACILITIES));
	CU_ASSERT_TRUE(lttp_anchor_is_set(joined, LTTP_ANCHOR_TRACEFILES + 1));
	CU_ASSERT_FALSE(lttp_anchor_is_set(joined, LTTP_ANCHOR_TRACEFILES));
	lttp_session_close(joined);

	/* The first reply is sufficient. */
	broker_start(&broker, 1);
	CU_ASSERT_EQUAL(lttp_session_receive(joined, broker.address, true, LTTP_SESSION_WATCH), 0);
	g_thread_join(g_steal_pointer(&broker.thread));
	CU_ASSERT_EQUAL(broker.request.what, LTTP_BROKER_JOIN_WITH_LANES);
	CU_ASSERT_PTR_NULL(joined->lock);
	CU_ASSERT_TRUE(lttp_anchor_is_set(joined, LTTP_ANCHOR_PROCESSES));
	lttp_session_close(joined);
	/* Files of another user, if this one can make one. */
	if (fchown(processes, 12345, (gid_t)-1) == 0) {
		broker_start(&broker, 3);
		CU_ASSERT_EQUAL(
			lttp_session_receive(joined, broker.address, true, LTTP_SESSION_ATTACH_OWN),
			0);
		g_thread_join(g_steal_pointer(&broker.thread));
		CU_ASSERT_FALSE(lttp_anchor_is_set(joined, LTTP_ANCHOR_PROCESSES));
		lttp_session_close(joined);
		CU_ASSERT_EQUAL(fchown(lock, 12345, (gid_t)-1), 0);
		broker_start(&broker, 1);
		CU_ASSERT_EQUAL(
			lttp_session_receive(joined, broker.address, true, LTTP_SESSION_ATTACH_OWN),
			-EPERM);
		g_thread_join(g_steal_pointer(&broker.thread));
	}
	broker_close(&broker);
	close(state);
	close(lock);
	close(processes);
	test_session_free(&test);
}

static void test_bad_replies(void)
{
	int state, lock, processes;
	TestSession test = new_session("bad-replies", &state, &lock, &processes);
	g_autofree struct lttp_session *joined = g_new0(struct lttp_session, 1);
	Broker broker;

	broker_open(&broker);
#define CHECK(replies, expected)                                                                   \
	G_STMT_START                                                                               \
	{                                                                                          \
		broker_start(&broker, replies);                                                    \
		CU_ASSERT_EQUAL(                                                                   \
			lttp_session_receive(joined, broker.address, false, LTTP_SESSION_ATTACH),  \
			expected);                                                                 \
		g_thread_join(g_steal_pointer(&broker.thread));                                    \
		CU_ASSERT_PTR_NULL(joined->head);                                                  \
	}                                                                                          \
	G_STMT_END
	CHECK(0, -ECONNREFUSED);
	CHECK(1, -EMFILE);
	broker_add(&broker, 0, LTTP_BROKER_STATE, state);
	CHECK(1, -EMFILE);
	broker.reply[0].which[0] = LTTP_BROKER_LOCK;
	CHECK(1, -EMFILE);
	broker_add(&broker, 0, LTTP_BROKER_STATE, state);
	broker.fds[0][0] = lock;
	broker.reply[0].result = -EPROTO;
	CHECK(1, -EPROTO);
	broker.reply[0].result = 0;
	broker.size--;
	CHECK(1, -ECONNREFUSED);
	broker.size++;
	broker.reply[0].files = LTTP_BROKER_FILES + 1;
	for (int i = 2; i < LTTP_BROKER_FILES; i++)
		broker.fds[0][i] = lock;
	CHECK(1, -ECONNREFUSED);
	broker.reply[0].files = 2;
	memset(broker.reply[0].directory, 'd', PATH_MAX);
	CHECK(1, -ECONNREFUSED);
	broker.reply[0].directory[PATH_MAX - 1] = 0;
	broker.reply[0].files = LTTP_BROKER_FILES;
	for (int i = 2; i < LTTP_BROKER_FILES; i++)
		broker.reply[0].which[i] = LTTP_BROKER_LOCK + 1;
	broker_start(&broker, 1);
	CU_ASSERT_EQUAL(lttp_session_receive(joined, broker.address, false, LTTP_SESSION_ATTACH),
			0);
	lttp_session_close(joined);
#undef CHECK
	broker_close(&broker);
	close(state);
	close(lock);
	close(processes);
	test_session_free(&test);
}

/* A broker that is stopped: nobody waits for it for long. */
static void test_silent_broker(void)
{
	g_autofree struct lttp_session *joined = g_new0(struct lttp_session, 1);
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	Broker broker;
	int clients[3];

	broker_open(&broker);
	CU_ASSERT_EQUAL(lttp_session_receive(joined, broker.address, false, LTTP_SESSION_ATTACH),
			-ETIMEDOUT);
	/* The queue of its socket is full. */
	memcpy(address.sun_path + 1, broker.address, strlen(broker.address) - 33);
	for (int i = 0; i < 3; i++) {
		clients[i] = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
		(void)!connect(clients[i], (struct sockaddr *)&address,
			       (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 +
					   strlen(broker.address) - 33));
	}
	CU_ASSERT_EQUAL(lttp_session_receive(joined, broker.address, false, LTTP_SESSION_ATTACH),
			-ETIMEDOUT);
	for (int i = 0; i < 3; i++)
		close(clients[i]);
	broker_close(&broker);
}

/* Calls that are interrupted or fail, while the broker answers. */
static void test_interruptions(void)
{
	static const struct {
		long number;
		int skip, times, error, result;
	} cases[] = {
		{SYS_recvmsg, 0, 2, EINTR, 0},     {SYS_recvmsg, 0, 2, EAGAIN, 0},
		{SYS_recvmsg, 0, 1, EIO, -EIO},    {SYS_recvmsg, 1, 1, EIO, 0},
		{SYS_sendto, 0, 1, EPIPE, -EPIPE},
	};
	int state, lock, processes;
	TestSession test = new_session("interrupted", &state, &lock, &processes);
	g_autofree struct lttp_session *session = g_new0(struct lttp_session, 1);
	Broker broker;

	broker_open(&broker);
	broker_add(&broker, 0, LTTP_BROKER_STATE, state);
	broker_add(&broker, 0, LTTP_BROKER_LOCK, lock);
	g_strlcpy(session->broker, broker.address, sizeof(session->broker));
	for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
		broker_start(&broker, 2);
		fail(cases[i].number, cases[i].times, cases[i].error);
		plan.skip = cases[i].skip;
		CU_ASSERT_EQUAL(
			lttp_session_receive(session, broker.address, false, LTTP_SESSION_ATTACH),
			cases[i].result);
		CU_ASSERT_EQUAL(plan.hits, (unsigned)cases[i].times);
		g_thread_join(g_steal_pointer(&broker.thread));
		lttp_session_close(session);
	}
	/* Each of the files in turn is received as descriptor 0. */
	broker_add(&broker, 0, LTTP_ANCHOR_PROCESSES, processes);
	fail(-1, 0, 0);
	plan.takes_zero = true;
	for (int i = 0; i < 3; i++) {
		uint32_t which = broker.reply[0].which[0];
		int fd = broker.fds[0][0];

		broker_start(&broker, 2);
		CU_ASSERT_EQUAL(
			lttp_session_receive(session, broker.address, false, LTTP_SESSION_ATTACH),
			0);
		CU_ASSERT_TRUE(lttp_anchor_is_set(session, LTTP_ANCHOR_PROCESSES));
		g_thread_join(g_steal_pointer(&broker.thread));
		lttp_session_close(session);
		for (int k = 0; k < 2; k++) {
			broker.reply[0].which[k] = broker.reply[0].which[k + 1];
			broker.fds[0][k] = broker.fds[0][k + 1];
		}
		broker.reply[0].which[2] = which;
		broker.fds[0][2] = fd;
	}
	plan.takes_zero = false;
	broker_start(&broker, 0);
	errno = EINTR;
	CU_ASSERT_EQUAL(lttp_session_receive(session, broker.address, false, LTTP_SESSION_ATTACH),
			-ECONNREFUSED);
	g_thread_join(g_steal_pointer(&broker.thread));
	broker_start(&broker, 2);
	fail(SYS_sendto, 1, EPIPE);
	plan.skip = 1;
	g_strlcpy(session->broker, broker.address, sizeof(session->broker));
	CU_ASSERT_EQUAL(lttp_broker_describe(session, "a", 5, "text"), -EPIPE);
	g_thread_join(g_steal_pointer(&broker.thread));
	fail(-1, 0, 0);
	broker_close(&broker);
	close(state);
	close(lock);
	close(processes);
	test_session_free(&test);
}

static void test_describing(void)
{
	g_autofree struct lttp_session *session = g_new0(struct lttp_session, 1);
	const gsize sizes[] = {0, 1, 32 << 10, (32 << 10) + 1, 100000, 4 << 20};
	g_autofree char *name = g_strnfill(231, 'n');
	g_autofree char *long_name = g_strnfill(232, 'n');
	g_autofree char *xml = g_strnfill((4 << 20) + 1, 'x');
	Broker broker;

	CU_ASSERT_EQUAL(lttp_broker_describe(session, "a", 5, "x"), -EACCES);
	broker_open(&broker);
	g_strlcpy(session->broker, broker.address, sizeof(session->broker));
	CU_ASSERT_EQUAL(lttp_broker_describe(session, long_name, 5, "x"), -EACCES);
	CU_ASSERT_EQUAL(lttp_broker_describe(session, "a", 5, xml), -EACCES);
	for (gsize i = 0; i < 4 << 20; i++)
		xml[i] = (char)('a' + i * 7 % 23);
	for (guint i = 0; i < G_N_ELEMENTS(sizes); i++) {
		g_autofree char *text = g_strndup(xml, sizes[i]);

		g_byte_array_set_size(broker.text, 0);
		broker.messages = 0;
		broker.reply[0].result = i == 1 ? -EEXIST : 0;
		broker_start(&broker, 1);
		CU_ASSERT_EQUAL(lttp_broker_describe(session, name, 5, text),
				broker.reply[0].result);
		g_thread_join(g_steal_pointer(&broker.thread));
		CU_ASSERT_EQUAL(broker.request.what, LTTP_BROKER_DESCRIBE);
		CU_ASSERT_EQUAL(broker.request.checksum, 5);
		CU_ASSERT_EQUAL(broker.request.text_bytes, sizes[i]);
		UNIT_ASSERT_TEXT(broker.request.name, name);
		CU_ASSERT_EQUAL(broker.messages, (sizes[i] + (32 << 10) - 1) >> 15);
		CU_ASSERT_EQUAL(broker.text->len, sizes[i]);
		CU_ASSERT_TRUE(sizes[i] == 0 || memcmp(broker.text->data, text, sizes[i]) == 0);
	}
	broker_close(&broker);
	CU_ASSERT_EQUAL(lttp_broker_describe(session, "a", 5, "x"), -ECONNREFUSED);
}

UNIT_MAIN("session-broker", UNIT(test_joining), UNIT(test_bad_replies), UNIT(test_silent_broker),
	  UNIT(test_interruptions), UNIT(test_describing))
