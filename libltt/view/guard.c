/* guard.c - see guard-priv.h. */
#include "view/guard-priv.h"

#include "view/peer-priv.h"

#include <errno.h>
#include <ltt/ltt-error.h>
#include <string.h>
#include <sys/random.h>

#define TOKEN_BYTES 16

/* Returns: (transfer full) (nullable): random digits; NULL with LTT_ERROR_IO */
static char *make_token(GError **error)
{
	guint8 bytes[TOKEN_BYTES];
	GString *token;

	if (getrandom(bytes, sizeof(bytes), 0) != (gssize)sizeof(bytes)) {
		g_set_error(error, LTT_ERROR, LTT_ERROR_IO, "no random bytes: %s",
			    g_strerror(errno));
		return NULL;
	}
	token = g_string_new(NULL);
	for (guint i = 0; i < sizeof(bytes); i++)
		g_string_append_printf(token, "%02x", bytes[i]);
	return g_string_free(token, FALSE);
}

gboolean ltt_view_guard_init(LttViewGuard *guard, GError **error)
{
	*guard = (LttViewGuard){.token = make_token(error)};
	guard->ticket = guard->token != NULL ? make_token(error) : NULL;
	return guard->ticket != NULL;
}

void ltt_view_guard_set_port(LttViewGuard *guard, guint16 port)
{
	guard->port = port;
	guard->hosts[0] = g_strdup_printf("127.0.0.1:%u", port);
	guard->hosts[1] = g_strdup_printf("localhost:%u", port);
}

void ltt_view_guard_clear(LttViewGuard *guard)
{
	g_clear_pointer(&guard->token, g_free);
	g_clear_pointer(&guard->ticket, g_free);
	g_clear_pointer(&guard->hosts[0], g_free);
	g_clear_pointer(&guard->hosts[1], g_free);
}

static gboolean is_own_host(const LttViewGuard *guard, const char *host)
{
	return host != NULL &&
	       (g_str_equal(host, guard->hosts[0]) || g_str_equal(host, guard->hosts[1]));
}

/* The time that it takes does not tell how many characters are right. */
static gboolean is_token(const char *token, const char *text)
{
	const gsize length = strlen(token);
	guint8 difference = 0;

	if (strnlen(text, length) < length)
		return FALSE;
	for (gsize i = 0; i < length; i++)
		difference |= (guint8)(text[i] ^ token[i]);
	return difference == 0;
}

/* Pages that VS Code shows inside its window. No page of a site can have such an origin. */
static gboolean is_editor_origin(const char *origin)
{
	return origin != NULL && g_str_has_prefix(origin, "vscode-webview://");
}

const char *ltt_view_guard_check(const LttViewGuard *guard, struct MHD_Connection *connection,
				 const char *path, gboolean *is_editor)
{
	const char *host = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Host");
	const char *origin = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Origin");
	const char *rest;

	*is_editor = is_editor_origin(origin);
	if (!is_own_host(guard, host))
		return NULL;
	if (origin != NULL && !*is_editor &&
	    (!g_str_has_prefix(origin, "http://") ||
	     !is_own_host(guard, origin + strlen("http://"))))
		return NULL;
	if (path[0] != '/' || !is_token(guard->token, path + 1))
		return NULL;
	rest = path + 1 + strlen(guard->token);
	return rest[0] == '/' ? rest + 1 : NULL;
}

gboolean ltt_view_guard_takes_ticket(LttViewGuard *guard, struct MHD_Connection *connection,
				     const char *path)
{
	const char *host = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Host");
	const char *ticket = path + strlen(LTT_VIEW_TICKET_PATH);

	return g_str_has_prefix(path, LTT_VIEW_TICKET_PATH) && is_own_host(guard, host) &&
	       MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Origin") == NULL &&
	       is_token(guard->ticket, ticket) && strlen(ticket) == strlen(guard->ticket) &&
	       ltt_view_peer_is_own(connection, guard->port) &&
	       g_atomic_int_compare_and_exchange(&guard->is_used, FALSE, TRUE);
}

gboolean ltt_view_guard_is_page(struct MHD_Connection *connection)
{
	return MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Origin") != NULL;
}

/* Lets the page of an editor read the response. */
static void allow_editor(struct MHD_Connection *connection, struct MHD_Response *response)
{
	const char *origin = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Origin");

	if (!is_editor_origin(origin))
		return;
	MHD_add_response_header(response, "Access-Control-Allow-Origin", origin);
	MHD_add_response_header(response, "Access-Control-Allow-Methods", "GET, POST, DELETE");
	MHD_add_response_header(response, "Access-Control-Allow-Headers", "Accept, Content-Type");
	MHD_add_response_header(response, "Vary", "Origin");
}

void ltt_view_guard_add_headers(struct MHD_Connection *connection, struct MHD_Response *response)
{
	static const char *const headers[][2] = {
		{"Content-Security-Policy",
		 "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: "
		 "blob:; "
		 "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"},
		{"Cross-Origin-Opener-Policy", "same-origin"},
		{"Cross-Origin-Resource-Policy", "same-origin"},
		{"X-Content-Type-Options", "nosniff"},
		{"Referrer-Policy", "no-referrer"},
		{"Cache-Control", "no-store"},
	};

	for (guint i = 0; i < G_N_ELEMENTS(headers); i++)
		MHD_add_response_header(response, headers[i][0], headers[i][1]);
	allow_editor(connection, response);
}
