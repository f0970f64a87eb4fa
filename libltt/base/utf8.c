/* utf8.c - measure a well-formed UTF-8 character, or the maximal subpart of an ill-formed one. */
#include "base/utf8-priv.h"

/* The valid sequences after a first byte: Unicode 15, table 3-7. Bytes after the second are always
 * 80..BF. */
typedef struct Lead {
	guint8 n_bytes; /* of the whole character; 0: not a valid first byte */
	guint8 second_min;
	guint8 second_max;
} Lead;

static Lead lead_of(guint8 first)
{
	if (first < 0x80)
		return (Lead){1, 0, 0};
	if (first < 0xc2)
		return (Lead){0, 0, 0}; /* a continuation byte, or an overlong form */
	if (first < 0xe0)
		return (Lead){2, 0x80, 0xbf};
	if (first < 0xf0)
		return (Lead){3, first == 0xe0 ? 0xa0 : 0x80, first == 0xed ? 0x9f : 0xbf};
	if (first < 0xf5)
		return (Lead){4, first == 0xf0 ? 0x90 : 0x80, first == 0xf4 ? 0x8f : 0xbf};
	return (Lead){0, 0, 0};
}

gsize ltt_utf8_measure(const guint8 *bytes, gsize available, gboolean *is_valid)
{
	const Lead lead = lead_of(bytes[0]);
	gsize length = 1;

	*is_valid = FALSE;
	if (lead.n_bytes == 0)
		return 1;
	for (; length < lead.n_bytes; length++) {
		guint8 least = length == 1 ? lead.second_min : 0x80;
		guint8 most = length == 1 ? lead.second_max : 0xbf;

		if (length == available || bytes[length] < least || bytes[length] > most)
			return length;
	}
	*is_valid = TRUE;
	return length;
}

guint ltt_utf8_get_control(const guint8 *bytes, gsize length)
{
	static const struct {
		guint16 first;
		guint16 last;
	} controls[] = {
		{0x0080, 0x009f}, /* C1 */
		{0x061c, 0x061c}, /* Arabic letter mark */
		{0x200e, 0x200f}, /* left-to-right mark, right-to-left mark */
		{0x2028, 0x202e}, /* line and paragraph separator; embeddings and overrides */
		{0x2066, 0x206f}, /* isolates; deprecated format characters */
		{0xfeff, 0xfeff}, /* byte order mark */
		{0xfff9, 0xfffb}, /* interlinear annotation */
	};
	guint code;

	if (length == 2)
		code = (bytes[0] & 0x1fU) << 6 | (bytes[1] & 0x3fU);
	else if (length == 3)
		code = (bytes[0] & 0x0fU) << 12 | (bytes[1] & 0x3fU) << 6 | (bytes[2] & 0x3fU);
	else
		return 0;
	for (guint i = 0; i < G_N_ELEMENTS(controls); i++) {
		if (code >= controls[i].first && code <= controls[i].last)
			return code;
	}
	return 0;
}
