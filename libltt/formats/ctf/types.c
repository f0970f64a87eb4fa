/* types.c - assign CTF ids to event types (types-priv.h). */
#include "formats/ctf/types-priv.h"

void ltt_ctf_types_init(LttCtfTypes *types)
{
	*types = (LttCtfTypes){
		.types = g_ptr_array_new_with_free_func(g_free),
		.by_type = g_hash_table_new(NULL, NULL),
		.recent = g_ptr_array_new(),
	};
}

void ltt_ctf_types_clear(LttCtfTypes *types)
{
	g_ptr_array_unref(types->types);
	g_hash_table_unref(types->by_type);
	g_ptr_array_unref(types->recent);
}

void ltt_ctf_types_begin(LttCtfTypes *types, LttCtfClass stream_class)
{
	types->stream_class = stream_class;
	g_ptr_array_set_size(types->recent, 0);
}

static LttCtfType *find_or_add(LttCtfTypes *types, const LttEvent *event)
{
	LttCtfType *type = g_hash_table_lookup(types->by_type, event->type);

	if (type != NULL)
		return type;
	type = g_new0(LttCtfType, 1);
	type->type = event->type;
	type->layout = event->layout;
	type->id = types->types->len;
	g_ptr_array_add(types->types, type);
	g_hash_table_insert(types->by_type, (gpointer)event->type, type);
	return type;
}

guint32 ltt_ctf_types_add(LttCtfTypes *types, const LttEvent *event)
{
	LttCtfType *type = find_or_add(types, event);

	type->is_in[types->stream_class] = TRUE;
	if (event->id >= types->recent->len)
		g_ptr_array_set_size(types->recent, event->id + 1);
	types->recent->pdata[event->id] = type;
	return type->id;
}
