/* broker-server.c - see broker-server-priv.h. */
#define _GNU_SOURCE
#include "record/broker-server-priv.h"

#include "base/error-priv.h"
#include "base/thread-priv.h"
#include "session/anchor.h"
#include "session/atomic.h"
#include "session/broker-client.h"
#include "session/eventdef.h"
#include "session/file.h"
#include "session/sys.h"

#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/un.h>

#define MAX_CLIENTS 64
#define PATIENCE_US 500000 /* until a silent client is dropped */

/* A connection. */
typedef struct Client {
	int fd; /* -1: unused */
	gint64 seen_us;
	struct lttp_broker_request request; /* its `what` is 0 until it is received */
	GString *text;                      /* received part of a description */
	guint32 next;       /* next file to pass: 0 those of the session, then the tracefiles */
	guint32 first_lane; /* first of the lanes that are passed */
} Client;

struct LttBroker {
	struct lttp_session *session;
	GThread *thread;
	int listen_fd;
	int stop_fds[2]; /* a pipe: the thread ends when its second end is closed */
	char token[LTTP_BROKER_TOKEN_BYTES + 1];
	char *address;
	Client clients[MAX_CLIENTS];
};

/* ---- replies ---- */

/* A message and its files. */
typedef struct Message {
	struct lttp_broker_reply reply;
	int fds[LTTP_BROKER_FILES];
} Message;

static void add_file(Message *message, guint32 which, int fd)
{
	if (fd < 0)
		return;
	message->reply.which[message->reply.files] = which;
	message->fds[message->reply.files++] = fd;
}

static void add_path(Message *message, guint32 which, int directory, const char *path)
{
	add_file(message, which, lttp_openat(directory, path, O_RDWR | O_NOFOLLOW, 0));
}

/* Finds the next tracefile to pass. Returns: FALSE if there is none */
static gboolean find_number(const LttBroker *broker, const Client *client, guint32 *number)
{
	const guint32 n_cpus = broker->session->head->cpus;

	*number = client->next - 1;
	if (*number < n_cpus)
		return TRUE;
	*number += client->first_lane - n_cpus;
	return client->request.what == LTTP_BROKER_JOIN_WITH_LANES &&
	       *number - client->first_lane < LTTP_LANES_AT_HAND &&
	       *number < lttp_session_files(broker->session->head);
}

/* Fills a message with the next files. */
static void add_files(const LttBroker *broker, Client *client, Message *message, int directory)
{
	const struct lttp_session *session = broker->session;
	guint32 number;

	if (client->next == 0) {
		add_path(message, LTTP_BROKER_STATE, directory, "info/session");
		add_path(message, LTTP_BROKER_LOCK, directory, "info/lock");
		add_path(message, LTTP_ANCHOR_PROCESSES, directory, "control/processes");
		add_path(message, LTTP_ANCHOR_FACILITIES, directory, "control/facilities");
		client->next = 1;
	}
	for (; message->reply.files < LTTP_BROKER_FILES && find_number(broker, client, &number);
	     client->next++) {
		if (lttp_load(&session->files[number].made) == LTTP_MADE_WHOLE)
			add_file(message, LTTP_ANCHOR_TRACEFILES + number,
				 lttp_file_open(session, directory, number));
	}
}

/* Returns: FALSE if the socket is full or closed */
static gboolean send_message(const Client *client, const Message *message)
{
	union {
		struct cmsghdr header;
		char bytes[CMSG_SPACE(sizeof(message->fds))];
	} control = {.bytes = ""};
	struct iovec bytes = {(void *)(guintptr)&message->reply, sizeof(message->reply)};
	struct msghdr header = {.msg_iov = &bytes, .msg_iovlen = 1};
	const gsize size = message->reply.files * sizeof(message->fds[0]);

	if (size > 0) {
		header.msg_control = &control;
		header.msg_controllen = CMSG_SPACE(size);
		control.header = (struct cmsghdr){.cmsg_len = CMSG_LEN(size),
						  .cmsg_level = SOL_SOCKET,
						  .cmsg_type = SCM_RIGHTS};
		memcpy(CMSG_DATA(&control.header), message->fds, size);
	}
	return sendmsg(client->fd, &header, MSG_NOSIGNAL | MSG_DONTWAIT) ==
	       (gssize)sizeof(message->reply);
}

/* ---- clients ---- */

static void drop(Client *client)
{
	lttp_close(client->fd);
	client->fd = -1;
	if (client->text != NULL)
		g_string_free(client->text, TRUE);
	client->text = NULL;
}

static void answer(Client *client, int result)
{
	const Message message = {.reply.result = result};

	send_message(client, &message);
	drop(client);
}

/* Sends the next message with files; the last one has none. */
static void pass_files(LttBroker *broker, Client *client)
{
	const int directory = lttp_session_directory(broker->session);
	const guint32 before = client->next;
	Message message = {.reply.result = directory < 0 ? directory : 0};
	gboolean sent;

	g_strlcpy(message.reply.directory, broker->session->directory,
		  sizeof(message.reply.directory));
	if (directory >= 0)
		add_files(broker, client, &message, directory);
	sent = send_message(client, &message);
	for (guint i = 0; i < message.reply.files; i++)
		lttp_close(message.fds[i]);
	lttp_close(directory);
	if (!sent && errno == EAGAIN)
		client->next = before;
	else if (!sent || message.reply.files == 0 || directory < 0)
		drop(client);
}

/* The same rule as that of the facility compiler. */
static gboolean is_name(const char *name)
{
	const gsize length =
		strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");

	return length > 0 && length < LTTP_BROKER_NAME_BYTES && name[length] == '\0';
}

static void describe(const LttBroker *broker, Client *client)
{
	const struct lttp_broker_request *request = &client->request;

	if (client->text->len < request->text_bytes)
		return;
	answer(client, lttp_eventdef_write(broker->session, request->name, request->checksum,
					   client->text->str));
}

/* In constant time. */
static gboolean knows_token(const LttBroker *broker, const struct lttp_broker_request *request)
{
	guint8 differ = 0;

	for (guint i = 0; i < LTTP_BROKER_TOKEN_BYTES; i++)
		differ |= (guint8)(request->token[i] ^ broker->token[i]);
	return differ == 0;
}

static void begin(LttBroker *broker, Client *client, gssize size)
{
	struct lttp_broker_request *request = &client->request;
	const gboolean is_request =
		size == (gssize)sizeof(*request) &&
		memcmp(request->magic, LTTP_BROKER_MAGIC, sizeof(request->magic)) == 0 &&
		knows_token(broker, request);
	const guint32 what = is_request ? request->what : 0;

	if (what == LTTP_BROKER_JOIN || what == LTTP_BROKER_JOIN_WITH_LANES) {
		if (what == LTTP_BROKER_JOIN_WITH_LANES)
			client->first_lane = lttp_file_make_lanes(broker->session);
		pass_files(broker, client);
	} else if (what == LTTP_BROKER_DESCRIBE && is_name(request->name) &&
		   request->text_bytes > 0 && request->text_bytes <= LTTP_BROKER_TEXT_MAX) {
		client->text = g_string_new(NULL);
	} else {
		drop(client);
	}
}

/* Reads the message of a client, or continues with the reply. */
static void serve(LttBroker *broker, Client *client)
{
	char text[LTTP_BROKER_TEXT_BYTES];
	gssize n;

	if (client->next > 0) {
		pass_files(broker, client);
		return;
	}
	if (client->text == NULL)
		n = recv(client->fd, &client->request, sizeof(client->request), MSG_DONTWAIT);
	else
		n = recv(client->fd, text, sizeof(text), MSG_DONTWAIT);
	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	client->seen_us = g_get_monotonic_time();
	if (n <= 0) {
		drop(client);
	} else if (client->text == NULL) {
		begin(broker, client, n);
	} else {
		g_string_append_len(client->text, text, n);
		describe(broker, client);
	}
}

/* Returns: an unused connection, or that of the client that has been silent longest */
static Client *find_place(LttBroker *broker)
{
	Client *oldest = &broker->clients[0];

	for (guint i = 0; i < MAX_CLIENTS; i++) {
		Client *client = &broker->clients[i];

		if (client->fd < 0)
			return client;
		if (client->seen_us < oldest->seen_us)
			oldest = client;
	}
	drop(oldest);
	return oldest;
}

/* Returns: FALSE if a client waits, but there is no descriptor or no memory for it */
static gboolean let_in(LttBroker *broker)
{
	/* cppcheck-suppress nullPointer ; accept4(2) allows it */
	const int fd = accept4(broker->listen_fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
	Client *client = fd >= 0 ? find_place(broker) : NULL;

	if (fd < 0)
		return errno == EAGAIN || errno == EINTR || errno == ECONNABORTED;
	*client = (Client){.fd = fd, .seen_us = g_get_monotonic_time()};
	/* A proper client has sent its request by now. */
	serve(broker, client);
	return TRUE;
}

static void drop_silent(LttBroker *broker)
{
	const gint64 now_us = g_get_monotonic_time();

	for (guint i = 0; i < MAX_CLIENTS; i++) {
		Client *client = &broker->clients[i];

		if (client->fd >= 0 && now_us - client->seen_us > PATIENCE_US)
			drop(client);
	}
}

/* ---- the thread ---- */

/* Finds the connected clients. poll() fails with more entries than RLIMIT_NOFILE, also unused ones.
 * Returns: their number */
static guint find_clients(LttBroker *broker, Client **clients, struct pollfd *ready)
{
	guint n = 0;

	for (guint i = 0; i < MAX_CLIENTS; i++) {
		Client *client = &broker->clients[i];

		if (client->fd < 0)
			continue;
		clients[n] = client;
		ready[n++] = (struct pollfd){.fd = client->fd,
					     .events = client->next > 0 ? POLLOUT : POLLIN};
	}
	return n;
}

static gpointer listen_for_clients(gpointer data)
{
	LttBroker *broker = data;
	struct pollfd ready[2 + MAX_CLIENTS];
	Client *clients[MAX_CLIENTS]; /* of ready[2] and later */
	gboolean has_room = TRUE;
	sigset_t all;

	/* Signals are for the main thread. */
	sigfillset(&all);
	sigdelset(&all, SIGBUS); /* guard-priv.h */
	pthread_sigmask(SIG_SETMASK, &all, NULL);
	ready[0] = (struct pollfd){.fd = broker->stop_fds[0], .events = POLLIN};
	do {
		const guint n = find_clients(broker, clients, ready + 2);

		/* Without room, the client that waits would end each poll() at once. */
		ready[1] =
			(struct pollfd){.fd = broker->listen_fd, .events = has_room ? POLLIN : 0};
		poll(ready, 2 + n, n == 0 && has_room ? -1 : PATIENCE_US / 1000);
		for (guint i = 0; i < n; i++) {
			if (ready[2 + i].revents != 0)
				serve(broker, clients[i]);
		}
		has_room = ready[1].revents == 0 || let_in(broker);
		drop_silent(broker);
	} while (ready[0].revents == 0);
	return NULL;
}

/* Creates a random name and token, and listens. */
static gboolean begin_listening(LttBroker *broker)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	guint8 random[LTTP_BROKER_TOKEN_BYTES];
	g_autofree char *name = NULL;
	socklen_t size;

	if (getrandom(random, sizeof(random), 0) != (gssize)sizeof(random))
		return FALSE;
	for (guint i = 0; i < LTTP_BROKER_TOKEN_BYTES; i++)
		broker->token[i] = "0123456789abcdef"[random[i] & 15];
	name = g_strdup_printf("ltt-%u-%08x", lttp_getpid(),
			       (guint)(random[0] >> 4) | (guint)(random[1] >> 4) << 4 |
				       (guint)(random[2] >> 4) << 8 |
				       (guint)(random[3] >> 4) << 12);
	broker->address = g_strdup_printf("%s:%s", name, broker->token);
	memcpy(address.sun_path + 1, name, strlen(name));
	size = (socklen_t)(G_STRUCT_OFFSET(struct sockaddr_un, sun_path) + 1 + strlen(name));
	broker->listen_fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	return broker->listen_fd >= 0 && pipe2(broker->stop_fds, O_CLOEXEC) == 0 &&
	       bind(broker->listen_fd, (const struct sockaddr *)&address, size) == 0 &&
	       listen(broker->listen_fd, SOMAXCONN) == 0;
}

LttBroker *ltt_broker_new(struct lttp_session *session, GError **error)
{
	LttBroker *broker = g_new0(LttBroker, 1);

	broker->session = session;
	broker->listen_fd = broker->stop_fds[0] = broker->stop_fds[1] = -1;
	for (guint i = 0; i < MAX_CLIENTS; i++)
		broker->clients[i].fd = -1;
	if (!begin_listening(broker))
		ltt_fail(error, LTT_ERROR_IO, "could not listen for processes: %s",
			 g_strerror(errno));
	else
		broker->thread = ltt_thread_start("ltt-broker", listen_for_clients, broker, error);
	if (broker->thread != NULL)
		return broker;
	ltt_broker_free(broker);
	return NULL;
}

void ltt_broker_free(LttBroker *broker)
{
	if (broker == NULL)
		return;
	if (broker->thread != NULL) {
		lttp_close(broker->stop_fds[1]);
		broker->stop_fds[1] = -1;
		g_thread_join(broker->thread);
	}
	for (guint i = 0; i < MAX_CLIENTS; i++)
		drop(&broker->clients[i]);
	lttp_close(broker->listen_fd);
	lttp_close(broker->stop_fds[0]);
	lttp_close(broker->stop_fds[1]);
	g_free(broker->address);
	g_free(broker);
}

const char *ltt_broker_get_address(const LttBroker *broker)
{
	return broker->address;
}
