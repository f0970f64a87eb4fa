/* import-programs.c - convert BPF programs and their types to events of perf_file. */
#include "formats/perf/import-priv.h"

#include "base/bytes-priv.h"
#include "formats/perf/file/features-priv.h"
#include "formats/perf/file/programs-priv.h"

/* Size of the head before the types of a program: u32 id, u32 size. */
#define BTF_HEAD_BYTES 8

/* Iterates over the entries of a feature. */
typedef struct Entries {
	LttPerfImport *import;
	const LttPerfFeature *feature;
	LttWindow *window;
	guint64 at;
	guint64 end;
} Entries;

static void tell(const Entries *entries, guint64 place, const char *what)
{
	ltt_import_tell(entries->import->job, (gint64)place, "feature %u: %s; it is kept as bytes",
			entries->feature->bit, what);
}

/* Takes the next bytes. Returns: (nullable): NULL with an error; NULL without error, after a
 * report, if the feature is too short */
static const guint8 *take(Entries *entries, guint64 n_bytes, GError **error)
{
	const guint8 *bytes;

	if (n_bytes > entries->end - entries->at) {
		tell(entries, entries->at, "it ends within an entry");
		return NULL;
	}
	if (n_bytes > LTT_WINDOW_MAX_BYTES) {
		tell(entries, entries->at, "an entry is larger than any event");
		return NULL;
	}
	bytes = ltt_window_get(entries->window, entries->at, (gsize)n_bytes, error);
	if (bytes != NULL)
		entries->at += n_bytes;
	return bytes;
}

static gboolean begin(Entries *entries, LttPerfImport *import, const LttPerfFeature *feature,
		      guint32 *n, GError **error)
{
	const guint8 *bytes;

	*entries = (Entries){.import = import,
			     .feature = feature,
			     .window = import->meta->is_pipe ? import->flat : import->source,
			     .at = feature->place,
			     .end = feature->place + feature->size};
	bytes = take(entries, sizeof(*n), error);
	if (bytes != NULL)
		*n = ltt_load_u32(bytes, import->meta->order);
	return bytes != NULL;
}

static gboolean put_program(Entries *entries, GError **error)
{
	LttPerfImport *import = entries->import;
	const LttByteOrder order = import->meta->order;
	const guint64 place = entries->at;
	const guint8 *bytes = take(entries, LTT_PERF_PROGRAM_HEAD_BYTES, error);
	LttPerfFault fault;
	guint64 size;

	if (bytes == NULL)
		return FALSE;
	size = ltt_perf_program_get_size(bytes, order);
	entries->at = place;
	bytes = take(entries, size, error);
	if (bytes == NULL)
		return FALSE;
	if (ltt_perf_program_pack(bytes, (gsize)size, order, LTT_PERF_MAX_FEATURE_BYTES,
				  import->payload.bytes, &fault))
		return ltt_perf_import_put(import, perf_file_bpf_prog_info_index, error);
	ltt_import_tell(import->job, (gint64)(place + fault.byte),
			"feature %u: %s: %s; it is kept as bytes", entries->feature->bit,
			fault.field, fault.why);
	return TRUE;
}

static gboolean put_btf(Entries *entries, GError **error)
{
	LttPerfImport *import = entries->import;
	const guint8 *bytes = take(entries, BTF_HEAD_BYTES, error);
	guint32 id;
	guint32 size;

	if (bytes == NULL)
		return FALSE;
	id = ltt_load_u32(bytes, import->meta->order);
	size = ltt_load_u32(bytes + 4, import->meta->order);
	bytes = take(entries, size, error);
	if (bytes == NULL)
		return FALSE;
	write_perf_file_bpf_btf(
		&import->payload,
		&(const struct perf_file_bpf_btf){
			.id = id,
			.size = size,
			.octets = {size <= LTT_PERF_MAX_FEATURE_BYTES ? size : 0, bytes},
		});
	return ltt_perf_import_put(import, perf_file_bpf_btf_index, error);
}

static gboolean put_all(LttPerfImport *import, const LttPerfFeature *feature,
			gboolean (*put_one)(Entries *entries, GError **error), GError **error)
{
	g_autoptr(GError) failed = NULL;
	Entries entries;
	guint32 n;

	if (begin(&entries, import, feature, &n, &failed))
		while (n > 0 && put_one(&entries, &failed))
			n--;
	if (failed == NULL)
		return TRUE;
	g_propagate_error(error, g_steal_pointer(&failed));
	return FALSE;
}

gboolean ltt_perf_import_programs(LttPerfImport *import, const LttPerfFeature *feature,
				  GError **error)
{
	return put_all(import, feature, put_program, error);
}

gboolean ltt_perf_import_btfs(LttPerfImport *import, const LttPerfFeature *feature, GError **error)
{
	return put_all(import, feature, put_btf, error);
}
