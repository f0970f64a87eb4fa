/* join-codes.c - the facilities of several traces under one numbering of events. */
#include "edit/join-priv.h"

#include "base/error-priv.h"

#include <string.h>

/* Whether a type has a size that is not the same on all machines: that of an int or a long. */
static gboolean has_machine_sizes(const LttFacility *facility)
{
	static const char *const kinds[] = {"int(", "enum(", "sequence(", "union("};
	const char *text = ltt_facility_get_canonical(facility);

	for (guint i = 0; i < G_N_ELEMENTS(kinds); i++) {
		for (const char *at = text; (at = strstr(at, kinds[i])) != NULL;) {
			at += strlen(kinds[i]);
			if (g_str_has_prefix(at, "medium") || g_str_has_prefix(at, "long"))
				return TRUE;
		}
	}
	return FALSE;
}

static gboolean check_sizes(const LttJoinWriting *writing, const LttTrace *member,
			    const LttFacility *facility, GError **error)
{
	const LttArchSize own = ltt_system_get_arch(member->system)->size;
	const LttArchSize common = ltt_system_get_arch(writing->joined->system)->size;

	if (own == common || !has_machine_sizes(facility))
		return TRUE;
	return ltt_fail(error, LTT_ERROR_UNSUPPORTED,
			"%s: facility %s has sizes of the machine, which is %s here and %s in the "
			"first trace: expected the same of both",
			ltt_trace_get_path(member), ltt_facility_get_name(facility),
			ltt_arch_size_name(own), ltt_arch_size_name(common));
}

/* Makes sure that a facility of a member is loaded in the new trace. */
gboolean ltt_join_load(LttJoinWriting *writing, const LttTrace *member, const LttFacility *facility,
		       guint32 *base_code, GError **error)
{
	gpointer known;

	if (g_hash_table_lookup_extended(writing->codes, facility, NULL, &known)) {
		*base_code = GPOINTER_TO_UINT(known);
		return TRUE;
	}
	*base_code = 0;
	if (!g_str_equal(ltt_facility_get_name(facility), "builtin") &&
	    (!check_sizes(writing, member, facility, error) ||
	     !ltt_trace_writer_load(writing->writer, facility, base_code, error)))
		return FALSE;
	g_hash_table_insert(writing->codes, (gpointer)facility, GUINT_TO_POINTER(*base_code));
	return TRUE;
}

gboolean ltt_join_load_all(LttJoinWriting *writing, const LttTrace *member, GError **error)
{
	const GPtrArray *loads = member->slots->loads;
	guint32 base_code;

	for (guint i = 0; i < loads->len; i++) {
		const LttLoad *one = loads->pdata[i];

		if (!ltt_join_load(writing, member, one->facility, &base_code, error))
			return FALSE;
	}
	return TRUE;
}
