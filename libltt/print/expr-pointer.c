/* expr-pointer.c - write %p with the extensions of the Linux kernel: network addresses, bytes,
 * identifiers (expr-priv.h).
 *
 * If the field is too short the text is "?", because description and event disagree.
 */
#include "print/expr-priv.h"

#include "base/bytes-priv.h"

#include <arpa/inet.h>

#define MAC_BYTES       6
#define IP4_BYTES       4
#define IP6_BYTES       16
#define UUID_BYTES      16
#define FAMILY_IP4      2 /* as Linux numbers them, wherever this runs */
#define FAMILY_IP6      10
#define SOCKADDR4_BYTES 8  /* family, port, address */
#define SOCKADDR6_BYTES 24 /* family, port, flow, address */

/* Letters after %p, and the letters that can follow them. */
static const struct {
	char letter;
	const char *first;   /* one of these must follow; NULL: none */
	const char *further; /* any of these can follow then */
} extensions[] = {
	{'I', "46S", "cpfsbhnl"}, {'i', "46S", "cpfsbhnl"}, {'M', NULL, "FR"},  {'m', NULL, "FR"},
	{'U', NULL, "bBlL"},      {'S', NULL, "Rb"},        {'s', NULL, "R"},   {'F', NULL, "R"},
	{'f', NULL, "R"},         {'B', NULL, "b"},         {'h', NULL, "CDN"}, {'b', NULL, "l"},
	{'K', NULL, ""},          {'x', NULL, ""},
};

gint ltt_expr_measure_extension(const char *at)
{
	gint n = 1;

	if (!g_ascii_isalnum(*at))
		return 0;
	for (guint i = 0; i < G_N_ELEMENTS(extensions); i++) {
		if (extensions[i].letter != *at)
			continue;
		if (extensions[i].first != NULL &&
		    (at[1] == '\0' || strchr(extensions[i].first, at[1]) == NULL))
			return -1;
		n += extensions[i].first != NULL ? 1 : 0;
		while (at[n] != '\0' && strchr(extensions[i].further, at[n]) != NULL)
			n++;
		return n;
	}
	return -1;
}

static void put_bytes(LttExprContext *context, const guint8 *bytes, gsize n, const char *between)
{
	for (gsize i = 0; i < n && !context->is_cut; i++) {
		if (i > 0)
			ltt_expr_put(context, between, strlen(between));
		ltt_expr_put_hex(context, bytes[i], 2);
	}
}

static void put_ip4(LttExprContext *context, const guint8 *bytes, gboolean is_padded)
{
	char text[24];
	const int length =
		g_snprintf(text, sizeof(text), is_padded ? "%03d.%03d.%03d.%03d" : "%d.%d.%d.%d",
			   bytes[0], bytes[1], bytes[2], bytes[3]);

	ltt_expr_put(context, text, (gsize)length);
}

static void put_ip6(LttExprContext *context, const guint8 *bytes, char letter, gboolean is_short)
{
	char text[INET6_ADDRSTRLEN];

	if (is_short && inet_ntop(AF_INET6, bytes, text, sizeof(text)) != NULL) {
		ltt_expr_put(context, text, strlen(text));
		return;
	}
	for (guint i = 0; i < IP6_BYTES; i += 2) {
		if (i > 0 && letter == 'I')
			ltt_expr_put(context, ":", 1);
		ltt_expr_put_hex(context, (guint64)bytes[i] << 8 | bytes[i + 1], 4);
	}
}

static gboolean put_socket(LttExprContext *context, const LttExprValue *value,
			   const char *extension)
{
	const gboolean has_port = strchr(extension, 'p') != NULL;
	guint family;
	char port[16];

	if (value->n_bytes < SOCKADDR4_BYTES)
		return FALSE;
	family = ltt_load_u16(value->bytes, context->order);
	g_snprintf(port, sizeof(port), ":%u", ltt_load_u16(value->bytes + 2, LTT_BIG_ENDIAN));
	if (family == FAMILY_IP4) {
		put_ip4(context, value->bytes + 4, extension[0] == 'i');
	} else if (family == FAMILY_IP6 && value->n_bytes >= SOCKADDR6_BYTES) {
		if (has_port)
			ltt_expr_put(context, "[", 1);
		put_ip6(context, value->bytes + 8, extension[0], strchr(extension, 'c') != NULL);
		if (has_port)
			ltt_expr_put(context, "]", 1);
	} else {
		return family != FAMILY_IP6;
	}
	if (has_port)
		ltt_expr_put(context, port, strlen(port));
	return TRUE;
}

static gboolean put_ip(LttExprContext *context, const LttExprValue *value, const char *extension)
{
	if (extension[1] == 'S')
		return put_socket(context, value, extension);
	if (value->n_bytes < (extension[1] == '4' ? IP4_BYTES : IP6_BYTES))
		return FALSE;
	if (extension[1] == '4')
		put_ip4(context, value->bytes, extension[0] == 'i');
	else
		put_ip6(context, value->bytes, extension[0], extension[2] == 'c');
	return TRUE;
}

/* Writes an identifier of 16 bytes. With "l" and "L" its first three parts are little-endian. */
static gboolean put_uuid(LttExprContext *context, const LttExprValue *value, const char *extension)
{
	static const guint8 orders[2][UUID_BYTES] = {
		{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
		{3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15},
	};
	const guint8 *order = orders[g_ascii_tolower(extension[1]) == 'l' ? 1 : 0];

	if (value->n_bytes < UUID_BYTES)
		return FALSE;
	for (guint i = 0; i < UUID_BYTES; i++) {
		char text[4];
		int length;

		if (i == 4 || i == 6 || i == 8 || i == 10)
			ltt_expr_put(context, "-", 1);
		length = g_snprintf(text, sizeof(text),
				    g_ascii_isupper(extension[1]) ? "%02X" : "%02x",
				    value->bytes[order[i]]);
		ltt_expr_put(context, text, (gsize)length);
	}
	return TRUE;
}

/* Writes the numbers of the bits that are set, such as "0-3,8". */
static void put_bit_list(LttExprContext *context, const LttExprValue *value, gint n_bits)
{
	const gsize word_bytes = MAX(value->type.width_bytes, 1);
	const gint n = MIN(n_bits, (gint)MIN(value->n_bytes * 8, 1 << 20));
	gboolean is_first = TRUE;
	gint start = -1;

	for (gint i = 0; i <= n && !context->is_cut; i++) {
		const gsize word = (gsize)i / (8 * word_bytes);
		const gboolean is_set =
			i < n && (ltt_load_uint(value->bytes + word * word_bytes, (guint)word_bytes,
						context->order) >>
					  ((gsize)i % (8 * word_bytes)) &
				  1) != 0;
		char text[32];
		int length;

		if (is_set && start < 0)
			start = i;
		if (is_set || start < 0)
			continue;
		length = i - 1 > start ? g_snprintf(text, sizeof(text), "%s%d-%d",
						    is_first ? "" : ",", start, i - 1)
				       : g_snprintf(text, sizeof(text), "%s%d", is_first ? "" : ",",
						    start);
		ltt_expr_put(context, text, (gsize)length);
		is_first = FALSE;
		start = -1;
	}
}

/* Returns: FALSE if the value is not an array of bytes, or too short */
static gboolean put_contents(LttExprContext *context, const LttExprSpec *spec,
			     const char *extension, const LttExprValue *value)
{
	const gsize n = spec->width < 0 ? 1 : (gsize)spec->width;

	if (value->bytes == NULL)
		return FALSE;
	switch (extension[0]) {
	case 'I':
	case 'i':
		return put_ip(context, value, extension);
	case 'M':
	case 'm':
		if (value->n_bytes < MAC_BYTES)
			return FALSE;
		put_bytes(context, value->bytes, MAC_BYTES,
			  extension[0] == 'm'   ? ""
			  : extension[1] == 'F' ? "-"
						: ":");
		return TRUE;
	case 'U':
		return put_uuid(context, value, extension);
	case 'h':
		put_bytes(context, value->bytes, MIN(n, value->n_bytes),
			  extension[1] == 'C'   ? ":"
			  : extension[1] == 'D' ? "-"
			  : extension[1] == 'N' ? ""
						: " ");
		return TRUE;
	default:
		put_bit_list(context, value, spec->width);
		return TRUE;
	}
}

/* Writes the function at an address: its name, with %pS, %pF and %pB also the distance from its begin.
 * Returns: FALSE if it is not known */
static gboolean put_function(LttExprContext *context, const char *extension,
			     const LttExprValue *value)
{
	const LttAddressText *found;

	if (context->addresses == NULL || value->kind != LTT_EXPR_VALUE_NUMBER ||
	    extension[0] == '\0' || strchr("sSfFB", extension[0]) == NULL)
		return FALSE;
	found = ltt_print_addresses_find(context->addresses, value->bits);
	if (found->function_bytes == 0)
		return FALSE;
	ltt_expr_put(context, found->text,
		     g_ascii_islower(extension[0]) ? found->function_bytes : strlen(found->text));
	return TRUE;
}

void ltt_expr_put_pointer(LttExprContext *context, const LttExprSpec *spec, const char *extension,
			  const LttExpr *expr)
{
	const LttExprValue value = ltt_expr_eval(expr, context);

	if (extension[0] != '\0' && strchr("IiMmUhb", extension[0]) != NULL) {
		if (!put_contents(context, spec, extension, &value))
			ltt_expr_put(context, "?", 1);
		return;
	}
	if (value.kind == LTT_EXPR_VALUE_NUMBER && value.bits == 0 && extension[0] == '\0') {
		ltt_expr_put(context, "(nil)", 5);
		return;
	}
	if (put_function(context, extension, &value))
		return;
	ltt_expr_put(context, "0x", 2);
	ltt_expr_put_hex(context, value.kind == LTT_EXPR_VALUE_NUMBER ? value.bits : 0, 1);
}
