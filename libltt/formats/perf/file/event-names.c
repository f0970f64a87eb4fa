/* event-names.c - read texts from features, and find names for events (meta-in-priv.h). */
#include "formats/perf/file/meta-in-priv.h"

#include "base/bytes-priv.h"
#include "base/error-priv.h"

#include <ltt/ltt-hash.h>

#include <string.h>

/* Types of perf events. */
enum {
	TYPE_HARDWARE,
	TYPE_SOFTWARE,
	TYPE_TRACEPOINT,
	TYPE_CACHE,
	TYPE_RAW,
	TYPE_BREAKPOINT,
};

/* Maximum length of a text in a feature. */
#define MOST_TEXT_BYTES 4096

/* ---- texts ---- */

static gboolean read_text(const LttPerfMeta *meta, LttWindow *window, guint bit, char **text,
			  GError **error)
{
	const LttPerfFeature *feature = ltt_perf_meta_find_feature(meta, bit);
	const guint8 *bytes;
	gsize length;

	if (feature == NULL || feature->size < sizeof(guint32))
		return TRUE;
	length = (gsize)MIN(feature->size - sizeof(guint32), (guint64)MOST_TEXT_BYTES);
	bytes = ltt_window_get(window, feature->place, sizeof(guint32) + length, error);
	if (bytes == NULL)
		return FALSE;
	length = MIN(length, ltt_load_u32(bytes, meta->order));
	g_free(*text);
	*text = g_strndup((const char *)bytes + sizeof(guint32), length);
	return TRUE;
}

/* ---- EVENT_DESC ---- */

typedef struct Reader {
	LttWindow *window;
	guint64 at;
	guint64 end;
	LttByteOrder order;
	GError **error;
	gboolean failed; /* a read error occurred; FALSE: the feature ended too early */
} Reader;

static const guint8 *take(Reader *reader, guint64 length)
{
	const guint8 *bytes;

	if (length > reader->end - reader->at || length > LTT_WINDOW_MAX_BYTES)
		return NULL;
	bytes = ltt_window_get(reader->window, reader->at, (gsize)length, reader->error);
	if (bytes == NULL)
		reader->failed = TRUE;
	else
		reader->at += length;
	return bytes;
}

static gboolean take_u32(Reader *reader, guint32 *value)
{
	const guint8 *bytes = take(reader, sizeof(*value));

	if (bytes != NULL)
		*value = ltt_load_u32(bytes, reader->order);
	return bytes != NULL;
}

/* Names the event with the id @first_id; if it has no ids, the event number @index. */
static void name_attr(LttPerfMeta *meta, guint index, const char *name, guint64 first_id,
		      gboolean has_id)
{
	const gint found = has_id ? ltt_perf_attrs_find(meta->attrs, first_id) : -1;
	LttPerfAttr *attr;

	if (found >= 0)
		index = (guint)found;
	if (index >= ltt_perf_attrs_get_n(meta->attrs))
		return;
	attr = ltt_perf_attrs_get(meta->attrs, index);
	if (attr->name == NULL && name[0] != '\0')
		attr->name = g_strdup(name);
}

static gboolean take_event(Reader *reader, LttPerfMeta *meta, guint index, guint32 attr_bytes)
{
	g_autofree char *name = NULL;
	const guint8 *bytes;
	guint64 first_id = 0;
	guint32 n_ids;
	guint32 length;

	if (take(reader, attr_bytes) == NULL || !take_u32(reader, &n_ids) ||
	    !take_u32(reader, &length))
		return FALSE;
	bytes = take(reader, length);
	if (bytes == NULL)
		return FALSE;
	name = g_strndup((const char *)bytes, length);
	if (n_ids > 0) {
		bytes = take(reader, sizeof(first_id));
		if (bytes == NULL)
			return FALSE;
		first_id = ltt_load_u64(bytes, reader->order);
		if ((guint64)(n_ids - 1) * sizeof(first_id) > reader->end - reader->at)
			return FALSE;
		reader->at += (guint64)(n_ids - 1) * sizeof(first_id);
	}
	name_attr(meta, index, name, first_id, n_ids > 0);
	return TRUE;
}

static gboolean read_event_desc(LttPerfMeta *meta, LttWindow *window, const LttPerfTell *tell,
				GError **error)
{
	const LttPerfFeature *feature = ltt_perf_meta_find_feature(meta, LTT_PERF_HAS_EVENT_DESC);
	Reader reader = {.window = window, .order = meta->order, .error = error};
	guint32 attr_bytes;
	guint32 n;

	if (feature == NULL)
		return TRUE;
	reader.at = feature->place;
	reader.end = feature->place + feature->size;
	if (!take_u32(&reader, &n) || !take_u32(&reader, &attr_bytes))
		n = 0;
	for (guint32 i = 0; i < n; i++) {
		if (take_event(&reader, meta, i, attr_bytes))
			continue;
		if (reader.failed)
			return FALSE;
		ltt_perf_tell(tell, reader.at, "feature 12, EVENT_DESC, ends within event %u of %u",
			      i, n);
		break;
	}
	return TRUE;
}

/* ---- META_INFO of simpleperf ---- */

#define EVENT_TYPES "event_type_info"

/* Adds a line "NAME,TYPE,CONFIG" to @names, with the key "TYPE,CONFIG". Newer releases of
 * simpleperf add words at the end of the line. If a key occurs again, the first name is kept. */
static void note_event_type(GHashTable *names, const char *line)
{
	g_auto(GStrv) words = g_strsplit(line, ",", 4);
	g_autofree char *key = NULL;

	if (g_strv_length(words) < 3 || words[0][0] == '\0')
		return;
	key = g_strdup_printf("%s,%s", words[1], words[2]);
	if (!g_hash_table_contains(names, key))
		g_hash_table_insert(names, g_steal_pointer(&key), g_strdup(words[0]));
}

static void note_event_types(GHashTable *names, const char *lines)
{
	g_auto(GStrv) each = g_strsplit(lines, "\n", -1);

	for (guint i = 0; each[i] != NULL; i++)
		note_event_type(names, each[i]);
}

static void name_by_event_types(LttPerfMeta *meta, GHashTable *names)
{
	for (guint i = 0; i < ltt_perf_attrs_get_n(meta->attrs); i++) {
		LttPerfAttr *attr = ltt_perf_attrs_get(meta->attrs, i);
		g_autofree char *key =
			g_strdup_printf("%u,%" G_GUINT64_FORMAT, attr->type, attr->config);

		if (attr->name == NULL)
			attr->name = g_strdup(g_hash_table_lookup(names, key));
	}
}

static gboolean read_meta_info(LttPerfMeta *meta, LttWindow *window, GError **error)
{
	const LttPerfFeature *feature = ltt_perf_meta_find_feature(meta, LTT_PERF_HAS_META_INFO);
	g_autoptr(GHashTable) names = NULL;
	g_autofree char *text = NULL;
	const guint8 *bytes;
	const char *end;

	if (feature == NULL || feature->size > LTT_WINDOW_MAX_BYTES)
		return TRUE;
	bytes = ltt_window_get(window, feature->place, (gsize)feature->size, error);
	if (bytes == NULL)
		return FALSE;
	/* Append zeros to terminate a truncated key or value. */
	text = g_malloc0(feature->size + 2);
	memcpy(text, bytes, feature->size);
	end = text + feature->size;
	names = g_hash_table_new_full(ltt_hash_text, g_str_equal, g_free, g_free);
	for (const char *key = text; key < end;) {
		const char *value = key + strlen(key) + 1;

		if (g_str_equal(key, EVENT_TYPES))
			note_event_types(names, value);
		key = value + strlen(value) + 1;
	}
	name_by_event_types(meta, names);
	return TRUE;
}

/* ---- built-in names ---- */

static const char *const hardware[] = {"cycles",
				       "instructions",
				       "cache-references",
				       "cache-misses",
				       "branches",
				       "branch-misses",
				       "bus-cycles",
				       "stalled-cycles-frontend",
				       "stalled-cycles-backend",
				       "ref-cycles"};

static const char *const software[] = {
	"cpu-clock",        "task-clock",   "page-faults",  "context-switches",
	"cpu-migrations",   "minor-faults", "major-faults", "alignment-faults",
	"emulation-faults", "dummy",        "bpf-output",   "cgroup-switches"};

static const char *const caches[] = {"L1-dcache", "L1-icache", "LLC", "dTLB",
				     "iTLB",      "branch",    "node"};
static const char *const operations[] = {"load", "store", "prefetch"};

static char *name_by_heart(const LttPerfMeta *meta, const LttPerfAttr *attr)
{
	const guint64 cache = attr->config & 0xff;
	const guint64 operation = attr->config >> 8 & 0xff;
	const LttPerfFormat *format;

	switch (attr->type) {
	case TYPE_HARDWARE:
		if (attr->config < G_N_ELEMENTS(hardware))
			return g_strdup(hardware[attr->config]);
		break;
	case TYPE_SOFTWARE:
		if (attr->config < G_N_ELEMENTS(software))
			return g_strdup(software[attr->config]);
		break;
	case TYPE_TRACEPOINT:
		format = ltt_perf_meta_find_format(meta, attr->config);
		if (format != NULL)
			return g_strdup_printf("%s:%s", format->system, format->name);
		break;
	case TYPE_CACHE:
		if (cache < G_N_ELEMENTS(caches) && operation < G_N_ELEMENTS(operations))
			return g_strdup_printf("%s-%s%s", caches[cache], operations[operation],
					       (attr->config >> 16 & 0xff) != 0 ? "-misses" : "s");
		break;
	case TYPE_RAW:
		return g_strdup_printf("r%" G_GINT64_MODIFIER "x", attr->config);
	case TYPE_BREAKPOINT:
		return g_strdup_printf("mem:0x%" G_GINT64_MODIFIER "x", attr->config1);
	default:
		break;
	}
	return g_strdup_printf("event-%u-0x%" G_GINT64_MODIFIER "x", attr->type, attr->config);
}

/* Returns: (transfer full): a table of the names of event types by their id, which refers to @meta.
 * If an id occurs several times, the first name is used */
static GHashTable *index_types(const LttPerfMeta *meta)
{
	GHashTable *names = g_hash_table_new(ltt_hash_int64, g_int64_equal);

	for (guint i = meta->event_types->len; i > 0; i--) {
		LttPerfEventType *type = &g_array_index(meta->event_types, LttPerfEventType, i - 1);

		if (type->name[0] != '\0')
			g_hash_table_replace(names, &type->id, type->name);
	}
	return names;
}

static const char *name_of_type(GHashTable *types, const LttPerfAttr *attr)
{
	return attr->type != TYPE_TRACEPOINT ? g_hash_table_lookup(types, &attr->config) : NULL;
}

gboolean ltt_perf_names_find(LttPerfMeta *meta, LttWindow *window, const LttPerfTell *tell,
			     GError **error)
{
	g_autoptr(GHashTable) types = NULL;

	if (!read_text(meta, window, LTT_PERF_HAS_HOSTNAME, &meta->hostname, error) ||
	    !read_text(meta, window, LTT_PERF_HAS_OSRELEASE, &meta->osrelease, error) ||
	    !read_text(meta, window, LTT_PERF_HAS_VERSION, &meta->perf_version, error) ||
	    !read_text(meta, window, LTT_PERF_HAS_ARCH, &meta->machine, error) ||
	    !ltt_perf_meta_read_n_cpus(meta, window, error) ||
	    !read_event_desc(meta, window, tell, error) || !read_meta_info(meta, window, error))
		return FALSE;
	types = index_types(meta);
	for (guint i = 0; i < ltt_perf_attrs_get_n(meta->attrs); i++) {
		LttPerfAttr *attr = ltt_perf_attrs_get(meta->attrs, i);

		if (attr->name == NULL)
			attr->name = g_strdup(name_of_type(types, attr));
		if (attr->name == NULL)
			attr->name = name_by_heart(meta, attr);
	}
	return TRUE;
}
