/* catalog.c - make the shapes of a recording (catalog-priv.h); convert.c converts records. */
#include "formats/perf/file/catalog-in-priv.h"

#include "formats/perf/file/records-priv.h"
#include "formats/perf/file/sample-priv.h"
#include "tracepoint/format-priv.h"

#include <ltt/ltt-hash.h>

#include <string.h>

/* Maximum total number of fields of all events. Samples of events beyond it are kept as raw bytes.
 * All tracepoints of a machine together have a quarter of this number. */
#define MOST_FIELDS 262144

/* Reserved facility names, which the systems of tracepoints must not have. */
static const char *const reserved_names[] = {LTT_PERF_FACILITY, "perf_file", "perf_joined",
					     "builtin",         "tracer",    NULL};

/* ---- names ---- */

/* Adds a unique name to @names: @name, or the first of NAME_2, NAME_3 ... that it does not contain.
 * Returns: the name */
static const char *make_unique(LttPerfArena *arena, GHashTable *names, const char *prefix,
			       const char *name)
{
	char *key = g_strdup_printf("%s.%s", prefix, name);
	guint n = GPOINTER_TO_UINT(g_hash_table_lookup(names, key));
	char *unique = g_strdup(key);

	/* The value of a name is the last number that was tried. So the total time is linear. */
	while (n > 0 && g_hash_table_contains(names, unique)) {
		g_free(unique);
		unique = g_strdup_printf("%s.%s_%u", prefix, name, ++n);
	}
	g_hash_table_replace(names, key, GUINT_TO_POINTER(MAX(n, 1)));
	if (n > 0)
		g_hash_table_insert(names, g_strdup(unique), GUINT_TO_POINTER(1));
	name = ltt_perf_arena_text(arena, g_strdup(unique + strlen(prefix) + 1));
	g_free(unique);
	return name;
}

static const char *facility_of_system(LttPerfArena *arena, const char *system)
{
	return ltt_perf_arena_text(arena, ltt_tracepoint_facility(system, reserved_names));
}

/* ---- unique field names ---- */

/* Fields of a tracepoint keep their names; conflicting fields of the sample are renamed. */
static const LttPerfField *name_trace(LttPerfArena *arena, GHashTable *names,
				      const LttPerfFormat *format)
{
	GArray *fields = g_array_new(FALSE, FALSE, sizeof(LttPerfField));

	for (guint i = 0; i < format->n_fields; i++) {
		LttPerfField field = format->fields[i];
		const char *name =
			ltt_perf_arena_text(arena, ltt_tracepoint_identifier(field.name));

		field.name = make_unique(arena, names, "", name);
		field.is_hidden = g_str_has_prefix(name, "common_");
		field.is_first = !field.is_hidden;
		g_array_append_val(fields, field);
	}
	return ltt_perf_arena_fields(arena, fields);
}

/* Returns whether a field of a sample is hidden by default. Such a field repeats what is printed
 * before the event, or only identifies the event. The fields ip and period of a tracepoint are
 * hidden, too, because they are always the same. */
static gboolean is_bookkeeping(const char *name, gboolean is_tracepoint)
{
	static const char *const always[] = {"identifier", "pid", "tid",          "time", "id",
					     "stream_id",  "cpu", "cpu_reserved", NULL};
	static const char *const of_tracepoints[] = {"ip", "period", NULL};

	return g_strv_contains(always, name) ||
	       (is_tracepoint && g_strv_contains(of_tracepoints, name));
}

static const LttPerfField *name_fields(LttPerfArena *arena, GHashTable *names,
				       gboolean is_tracepoint, const LttPerfField *fields,
				       guint n_fields)
{
	GArray *named = g_array_new(FALSE, FALSE, sizeof(LttPerfField));

	for (guint i = 0; i < n_fields; i++) {
		LttPerfField field = fields[i];
		g_autofree char *key = g_strdup_printf(".%s", field.name);

		field.is_hidden =
			field.kind != LTT_PERF_TRACE && is_bookkeeping(field.name, is_tracepoint);
		if (field.kind != LTT_PERF_TRACE && g_hash_table_contains(names, key))
			field.name =
				ltt_perf_arena_text(arena, g_strconcat("perf_", field.name, NULL));
		if (field.kind != LTT_PERF_TRACE)
			field.name = make_unique(arena, names, "", field.name);
		g_array_append_val(named, field);
	}
	return ltt_perf_arena_fields(arena, named);
}

/* ---- shapes ---- */

static void add_shape(LttPerfCatalog *catalog, LttPerfShape shape)
{
	g_array_append_val(catalog->shapes, shape);
}

static guint count_fields(const LttPerfField *fields, guint n_fields)
{
	guint n = n_fields;

	for (guint i = 0; i < n_fields; i++)
		n += count_fields(fields[i].members, fields[i].n_members);
	return n;
}

/* Finds the read_format of all events. Returns: FALSE if they have different ones: READ records
 * then have different fields, but the same shape */
static gboolean find_read_format(const LttPerfMeta *meta, guint64 *read_format)
{
	const guint n = ltt_perf_attrs_get_n(meta->attrs);

	if (n == 0)
		return FALSE;
	*read_format = ltt_perf_attrs_get(meta->attrs, 0)->read_format;
	for (guint i = 1; i < n; i++)
		if (ltt_perf_attrs_get(meta->attrs, i)->read_format != *read_format)
			return FALSE;
	return TRUE;
}

static void add_kind(LttPerfCatalog *catalog, const LttPerfRecordKind *kind)
{
	guint64 read_format;
	LttPerfShape shape = {
		.facility = LTT_PERF_FACILITY,
		.name = make_unique(catalog->arena, catalog->names, LTT_PERF_FACILITY, kind->name),
		.description = kind->description,
		.type = kind->type,
		.attr = -1,
		.fields = kind->fields,
		.n_fields = kind->n_fields,
		.has_id = kind->type < LTT_PERF_FIRST_OF_TOOL && catalog->n_id_fields > 0};

	if (kind->type == LTT_PERF_READ_RECORD && find_read_format(catalog->meta, &read_format))
		shape.fields = ltt_perf_read_fields(catalog->arena, read_format, &shape.n_fields);
	add_shape(catalog, shape);
}

static void add_kinds(LttPerfCatalog *catalog)
{
	static const LttPerfField type[] = {{.name = "type", .kind = LTT_PERF_UINT, .width = 4}};
	guint n;
	const LttPerfRecordKind *kinds = ltt_perf_record_kinds(&n);

	add_shape(catalog,
		  (LttPerfShape){.facility = LTT_PERF_FACILITY,
				 .name = make_unique(catalog->arena, catalog->names,
						     LTT_PERF_FACILITY, "unknown"),
				 .description = "A record of an unknown type, or whose bytes do "
						"not match its type",
				 .attr = -1,
				 .fields = type,
				 .n_fields = G_N_ELEMENTS(type),
				 .is_unknown = TRUE});
	for (guint i = 0; i < n; i++)
		add_kind(catalog, &kinds[i]);
	catalog->n_kinds = n;
}

#define TYPE_TRACEPOINT 2

/* Adds the shape of an event. Returns: the number of its fields */
static guint add_event(LttPerfCatalog *catalog, guint index)
{
	const LttPerfMeta *meta = catalog->meta;
	const LttPerfAttr *attr = ltt_perf_attrs_get(meta->attrs, index);
	const LttPerfFormat *format = attr->type == TYPE_TRACEPOINT
					      ? ltt_perf_meta_find_format(meta, attr->config)
					      : NULL;
	g_autoptr(GHashTable) names =
		g_hash_table_new_full(ltt_hash_text, g_str_equal, g_free, NULL);
	const char *colon = attr->type == TYPE_TRACEPOINT ? strchr(attr->name, ':') : NULL;
	const char *event = colon != NULL ? colon + 1 : attr->name;
	const LttPerfField *trace = NULL;
	const LttPerfField *fields;
	g_autofree char *identifier = NULL;
	LttPerfShape shape = {.facility = LTT_PERF_FACILITY,
			      .type = LTT_PERF_SAMPLE,
			      .attr = (gint)index,
			      .description = attr->name};

	/* The name of the struct at the end of all records. */
	make_unique(catalog->arena, names, "", "record");
	if (format != NULL) {
		shape.facility = facility_of_system(catalog->arena, format->system);
		shape.print = format->print;
		shape.system = format->system;
		shape.tracepoint = format->name;
		event = format->name;
		trace = name_trace(catalog->arena, names, format);
	} else if (colon != NULL) {
		g_autofree char *system = g_strndup(attr->name, (gsize)(colon - attr->name));

		shape.facility = facility_of_system(catalog->arena, system);
	}
	identifier = ltt_tracepoint_identifier(event);
	shape.name = make_unique(catalog->arena, catalog->names, shape.facility, identifier);
	fields = ltt_perf_sample_fields(catalog->arena, attr, meta->order, meta->machine, trace,
					format != NULL ? format->n_fields : 0, &shape.n_fields);
	shape.fields = name_fields(catalog->arena, names, format != NULL, fields, shape.n_fields);
	shape.steps = ltt_perf_steps_new(catalog->arena, shape.fields, shape.n_fields);
	add_shape(catalog, shape);
	return count_fields(shape.fields, shape.n_fields);
}

LttPerfCatalog *ltt_perf_catalog_new(const LttPerfMeta *meta)
{
	LttPerfCatalog *catalog = g_new0(LttPerfCatalog, 1);
	const guint n_attrs = ltt_perf_attrs_get_n(meta->attrs);
	guint n_fields = 0;

	catalog->meta = meta;
	catalog->arena = ltt_perf_arena_new();
	catalog->names = g_hash_table_new_full(ltt_hash_text, g_str_equal, g_free, NULL);
	catalog->shapes = g_array_new(FALSE, FALSE, sizeof(LttPerfShape));
	catalog->spare = g_byte_array_new();
	for (guint i = 0; i < n_attrs; i++) {
		const LttPerfAttr *attr = ltt_perf_attrs_get(meta->attrs, i);

		if (attr->id_bytes > 0)
			catalog->id_mask |= attr->sample_type;
	}
	catalog->id_fields =
		ltt_perf_sample_id_fields(catalog->arena, catalog->id_mask, &catalog->n_id_fields);
	add_kinds(catalog);
	for (guint i = 0; i < n_attrs && n_fields < MOST_FIELDS; i++)
		n_fields += add_event(catalog, i);
	return catalog;
}

void ltt_perf_catalog_free(LttPerfCatalog *catalog)
{
	if (catalog == NULL)
		return;
	g_array_unref(catalog->shapes);
	g_hash_table_unref(catalog->names);
	g_ptr_array_unref(catalog->arena);
	g_byte_array_unref(catalog->spare);
	g_free(catalog);
}

gboolean ltt_perf_catalog_halve(LttPerfCatalog *catalog)
{
	const guint first = LTT_PERF_SHAPE_KINDS + catalog->n_kinds;
	const guint n_events = catalog->shapes->len - first;

	g_array_set_size(catalog->shapes, first + n_events / 2);
	return n_events > 0;
}

guint ltt_perf_catalog_get_n(const LttPerfCatalog *catalog)
{
	return catalog->shapes->len;
}

const LttPerfShape *ltt_perf_catalog_get(const LttPerfCatalog *catalog, guint index)
{
	return &g_array_index(catalog->shapes, LttPerfShape, index);
}

const LttPerfField *ltt_perf_catalog_get_id_fields(const LttPerfCatalog *catalog, guint *n)
{
	*n = catalog->n_id_fields;
	return catalog->id_fields;
}

void ltt_perf_catalog_end(const LttPerfCatalog *catalog, const LttPerfTell *tell)
{
	const LttPerfKept *unknown = &catalog->unknown;
	const LttPerfKept *undescribed = &catalog->undescribed;
	const guint n_described = catalog->shapes->len - LTT_PERF_SHAPE_KINDS - catalog->n_kinds;

	if (unknown->n > 0)
		ltt_perf_tell(tell, unknown->first,
			      "%" G_GUINT64_FORMAT
			      " samples from here on are of events that are not in "
			      "the header; they are kept as bytes",
			      unknown->n);
	if (undescribed->n > 0)
		ltt_perf_tell(tell, undescribed->first,
			      "%" G_GUINT64_FORMAT
			      " samples from here on are of events after the first %u of %u, "
			      "which is the maximum number; they are kept as bytes",
			      undescribed->n, n_described,
			      ltt_perf_attrs_get_n(catalog->meta->attrs));
}
