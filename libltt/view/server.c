/* server.c - see ltt-view.h. */
#include "view/guard-priv.h"
#include "view/page-file-priv.h"
#include "view/request-priv.h"
#include "view/strangers-priv.h"
#include "view/tsp/tsp-priv.h"

#include <arpa/inet.h>
#include <errno.h>
#include <ltt/ltt-view.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* Files of the page. */
static const struct {
	const char *name;
	const char *type;
} page_files[] = {
	{"index.html", "text/html; charset=utf-8"},
	{"viewer.js", "text/javascript; charset=utf-8"},
	{"viewer.css", "text/css; charset=utf-8"},
};

struct LttView {
	LttViewLive *live;
	LttTsp *tsp;
	LttViewGuard guard;
	LttViewStrangers strangers;
	struct MHD_Daemon *daemon;
	char *title;
	char *url;
	char *ticket_url;
	guint16 port;
	char *contents[G_N_ELEMENTS(page_files)];
	gsize lengths[G_N_ELEMENTS(page_files)];
};

/* ---- responses ---- */

/* @header: one that the status needs, and @value, its value */
static enum MHD_Result respond_with(struct MHD_Connection *connection, guint status,
				    const char *header, const char *value, const char *bytes,
				    gsize length)
{
	struct MHD_Response *response =
		MHD_create_response_from_buffer(length, (void *)bytes, MHD_RESPMEM_MUST_COPY);
	enum MHD_Result result;

	if (response == NULL)
		return MHD_NO;
	MHD_add_response_header(response, header, value);
	ltt_view_guard_add_headers(connection, response);
	result = MHD_queue_response(connection, status, response);
	MHD_destroy_response(response);
	return result;
}

static enum MHD_Result respond(struct MHD_Connection *connection, guint status, const char *type,
			       const char *bytes, gsize length)
{
	return respond_with(connection, status, "Content-Type", type, bytes, length);
}

static enum MHD_Result respond_text(struct MHD_Connection *connection, guint status,
				    const char *text)
{
	return respond(connection, status, "text/plain; charset=utf-8", text, strlen(text));
}

static enum MHD_Result respond_error(struct MHD_Connection *connection, const GError *error)
{
	if (g_error_matches(error, LTT_ERROR, LTT_ERROR_CANCELLED))
		return MHD_NO; /* closes the connection, which the client no longer reads */
	return respond_text(connection,
			    g_error_matches(error, LTT_ERROR, LTT_ERROR_INVALID) ||
					    g_error_matches(error, LTT_ERROR, LTT_ERROR_LIMIT)
				    ? MHD_HTTP_BAD_REQUEST
				    : MHD_HTTP_INTERNAL_SERVER_ERROR,
			    error->message);
}

/* ---- routes ---- */

static enum MHD_Result answer(LttView *view, struct MHD_Connection *connection,
			      LttViewAnswerFunc function)
{
	g_autoptr(GString) json = g_string_new(NULL);
	LttViewCall call = {
		.map = ltt_view_live_take(view->live),
		.live = view->live,
		.title = view->title,
		.connection = connection,
		.answer = json,
	};
	g_autoptr(GError) error = NULL;
	const gboolean is_answered = function(&call, &error);

	ltt_view_live_release(view->live, call.map);
	if (!is_answered)
		return respond_error(connection, error);
	return respond(connection, MHD_HTTP_OK, "application/json", json->str, json->len);
}

/* Leads a browser to the page. */
static enum MHD_Result redirect(LttView *view, struct MHD_Connection *connection)
{
	g_autofree char *location = g_strdup_printf("/%s/", view->guard.token);

	return respond_with(connection, MHD_HTTP_SEE_OTHER, "Location", location, "", 0);
}

/* A POST of the page has its parameters in the URL; a body is ignored. */
static enum MHD_Result handle_post(LttView *view, struct MHD_Connection *connection,
				   const char *path)
{
	const LttViewAnswerFunc change = ltt_view_find_change(path);

	if (change != NULL && !ltt_view_guard_is_page(connection))
		return respond_text(connection, MHD_HTTP_FORBIDDEN, "forbidden\n");
	if (change != NULL)
		return answer(view, connection, change);
	return respond_text(connection, MHD_HTTP_METHOD_NOT_ALLOWED, "expected GET\n");
}

static enum MHD_Result handle_tsp(LttView *view, struct MHD_Connection *connection,
				  const char *method, const char *path, const GString *body)
{
	g_autoptr(GString) json = g_string_new(NULL);
	LttTspRequest request = {
		.tsp = view->tsp,
		.connection = connection,
		.method = method,
		.path = path + strlen(LTT_TSP_PREFIX),
		.body = body->str,
		.body_length = body->len,
	};
	guint status;

	if (body->len > LTT_TSP_MAX_BODY)
		return respond_text(connection, MHD_HTTP_CONTENT_TOO_LARGE, "too large\n");
	if (g_str_equal(method, "OPTIONS"))
		return respond(connection, MHD_HTTP_NO_CONTENT, "application/json", "", 0);
	request.map = ltt_view_live_take(view->live);
	status = ltt_tsp_answer(&request, json);
	ltt_view_live_release(view->live, request.map);
	return status != 0 ? respond(connection, status, "application/json", json->str, json->len)
			   : MHD_NO;
}

/* libmicrohttpd calls handle() for the headers, for each part of the body, and to answer. Appends a part
 * to the body, and a part beyond the limit too, which tells that it is too large. Returns:
 * (nullable): the whole body; NULL: there is more to come */
static const GString *take_body(const char *upload, size_t *upload_size, void **state)
{
	GString *body = *state;

	if (body == NULL) {
		*state = g_string_new(NULL);
		return NULL;
	}
	if (*upload_size == 0)
		return body;
	if (body->len <= LTT_TSP_MAX_BODY)
		g_string_append_len(body, upload, (gssize)MIN(*upload_size, LTT_TSP_MAX_BODY));
	*upload_size = 0;
	return NULL;
}

static void forget_body(void *data, struct MHD_Connection *connection, void **state,
			enum MHD_RequestTerminationCode reason)
{
	(void)data;
	(void)connection;
	(void)reason;
	if (*state != NULL)
		g_string_free(*state, TRUE);
	*state = NULL;
}

static enum MHD_Result handle(void *data, struct MHD_Connection *connection, const char *url,
			      const char *method, const char *version, const char *upload,
			      size_t *upload_size, void **state)
{
	LttView *view = data;
	gboolean is_editor;
	const char *path = ltt_view_guard_check(&view->guard, connection, url, &is_editor);
	LttViewAnswerFunc function;
	const GString *body;

	(void)version;
	if (ltt_view_guard_takes_ticket(&view->guard, connection, url))
		return redirect(view, connection);
	if (g_str_has_prefix(url, LTT_VIEW_TICKET_PATH))
		return respond_text(
			connection, MHD_HTTP_FORBIDDEN,
			"This address works once, for the user who runs `ltt view`. Open "
			"the address that it printed.\n");
	if (path != NULL)
		ltt_view_strangers_admit(&view->strangers, connection);
	if (path == NULL || (is_editor && !g_str_has_prefix(path, LTT_TSP_PREFIX)))
		return respond_text(connection, MHD_HTTP_FORBIDDEN, "forbidden\n");
	body = take_body(upload, upload_size, state);
	if (body == NULL)
		return MHD_YES;
	if (g_str_has_prefix(path, LTT_TSP_PREFIX))
		return handle_tsp(view, connection, method, path, body);
	if (g_str_equal(method, "POST"))
		return handle_post(view, connection, path);
	if (!g_str_equal(method, "GET"))
		return respond_text(connection, MHD_HTTP_METHOD_NOT_ALLOWED, "expected GET\n");
	if (*path == '\0')
		path = "index.html";
	for (guint i = 0; i < G_N_ELEMENTS(page_files); i++) {
		if (g_str_equal(path, page_files[i].name))
			return respond(connection, MHD_HTTP_OK, page_files[i].type,
				       view->contents[i], view->lengths[i]);
	}
	function = ltt_view_find_answer(path);
	if (function != NULL)
		return answer(view, connection, function);
	return respond_text(connection, MHD_HTTP_NOT_FOUND, "not found\n");
}

/* ---- the server ---- */

static gboolean read_files(LttView *view, const char *folder, GError **error)
{
	for (guint i = 0; i < G_N_ELEMENTS(page_files); i++) {
		view->contents[i] = ltt_view_read_page_file(folder, page_files[i].name,
							    &view->lengths[i], error);
		if (view->contents[i] == NULL)
			return FALSE;
	}
	return TRUE;
}

/* Returns: a socket that listens on 127.0.0.1, and sets the port of @view; -1 on failure */
static int listen_on(LttView *view, guint16 port, GError **error)
{
	struct sockaddr_in address = {
		.sin_family = AF_INET,
		.sin_port = htons(port),
		.sin_addr = {.s_addr = htonl(INADDR_LOOPBACK)},
	};
	socklen_t length = sizeof(address);
	const int yes = 1;
	const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd >= 0 && setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes)) == 0 &&
	    bind(fd, (struct sockaddr *)&address, length) == 0 &&
	    listen(fd, LTT_VIEW_CONNECTIONS) == 0 &&
	    getsockname(fd, (struct sockaddr *)&address, &length) == 0) {
		view->port = ntohs(address.sin_port);
		return fd;
	}
	g_set_error(error, LTT_ERROR, LTT_ERROR_IO, "127.0.0.1:%u: %s", port, g_strerror(errno));
	if (fd >= 0)
		close(fd);
	return -1;
}

static gboolean start(LttView *view, guint16 port, GError **error)
{
	const int fd = listen_on(view, port, error);

	if (fd < 0)
		return FALSE;
	ltt_view_guard_set_port(&view->guard, view->port);
	view->url = g_strdup_printf("http://127.0.0.1:%u/%s/", view->port, view->guard.token);
	view->ticket_url = g_strdup_printf("http://127.0.0.1:%u" LTT_VIEW_TICKET_PATH "%s",
					   view->port, view->guard.ticket);
	view->daemon = MHD_start_daemon(
		MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_THREAD_PER_CONNECTION | MHD_USE_POLL, 0,
		NULL, NULL, handle, view, MHD_OPTION_LISTEN_SOCKET, fd, MHD_OPTION_CONNECTION_LIMIT,
		(unsigned)LTT_VIEW_CONNECTIONS, MHD_OPTION_CONNECTION_TIMEOUT,
		(unsigned)LTT_VIEW_STRANGER_SECONDS, MHD_OPTION_NOTIFY_CONNECTION,
		ltt_view_strangers_notify, &view->strangers, MHD_OPTION_NOTIFY_COMPLETED,
		forget_body, NULL, MHD_OPTION_END);
	if (view->daemon != NULL)
		return TRUE;
	close(fd);
	g_set_error(error, LTT_ERROR, LTT_ERROR_LIMIT, "could not start the threads of the server");
	return FALSE;
}

LttView *ltt_view_new(const LttViewRequest *request, GError **error)
{
	g_autoptr(LttView) view = g_new0(LttView, 1);

	ltt_view_strangers_init(&view->strangers);
	view->title = g_strdup(request->title != NULL ? request->title
						      : ltt_trace_get_path(request->trace));
	if (!read_files(view, request->files, error) || !ltt_view_guard_init(&view->guard, error))
		return NULL;
	ltt_trace_read_bookmarks(request->trace); /* parses them in this thread */
	view->live = ltt_view_live_new(request->trace, request->cache);
	view->tsp = ltt_tsp_new(request->trace, view->title);
	/* Nobody knows the token of a request before this function returns. */
	if (!start(view, request->port, error) || !ltt_view_live_start(view->live, error))
		return NULL;
	return g_steal_pointer(&view);
}

void ltt_view_free(LttView *view)
{
	if (view == NULL)
		return;
	if (view->live != NULL)
		ltt_view_live_stop(view->live);
	if (view->daemon != NULL)
		MHD_stop_daemon(view->daemon);
	ltt_tsp_free(view->tsp);
	ltt_view_live_free(view->live);
	ltt_view_guard_clear(&view->guard);
	ltt_view_strangers_clear(&view->strangers);
	for (guint i = 0; i < G_N_ELEMENTS(view->contents); i++)
		g_free(view->contents[i]);
	g_free(view->title);
	g_free(view->url);
	g_free(view->ticket_url);
	g_free(view);
}

const char *ltt_view_get_url(const LttView *view)
{
	return view->url;
}

const char *ltt_view_get_ticket_url(const LttView *view)
{
	return view->ticket_url;
}

guint16 ltt_view_get_port(const LttView *view)
{
	return view->port;
}
