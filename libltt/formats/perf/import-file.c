/* import-file.c - convert the metadata of a recording to events of perf_file.
 *
 * These events are for users and for programs that read traces. The export does not need them: it
 * restores the metadata from the events `bytes`, which contain its raw bytes.
 */
#include "formats/perf/import-priv.h"

#include "base/bytes-priv.h"
#include "formats/perf/file/features-priv.h"

/* Maximum number of ids of an attr in an event. */
#define MOST_IDS 4096

static gboolean put_container(LttPerfImport *import, GError **error)
{
	enum { FORM_FILE, FORM_PIPE, FORM_DIRECTORY };
	const LttPerfMeta *meta = import->meta;

	write_perf_file_container(&import->payload,
				  &(const struct perf_file_container){
					  .form = import->is_directory ? FORM_DIRECTORY
						  : meta->is_pipe      ? FORM_PIPE
								       : FORM_FILE,
					  .version = (guint8)meta->version,
					  .unfinished = meta->is_unfinished ? 1 : 0,
					  .records_begin = import->what.records.begin,
					  .records_end = import->what.records.end,
					  .recorded_end = meta->data_end,
					  .size = ltt_window_get_size(import->flat),
					  .compressed_records = import->what.n_compressed,
					  .compressed_bytes = import->what.compressed_bytes,
					  .streams = import->what.n_streams,
				  });
	return ltt_perf_import_put(import, perf_file_container_index, error);
}

/* ---- attrs ---- */

/* Lists the set bits among the first @n_named. Returns: their number */
static gsize list_bits(guint64 bits, guint n_named, guint8 *list)
{
	gsize n = 0;

	for (guint bit = 0; bit < n_named; bit++) {
		if ((bits & LTT_PERF_BIT(bit)) != 0)
			list[n++] = (guint8)bit;
	}
	return n;
}

static const char *event_of_attr(const LttPerfImport *import, guint number, GString *name)
{
	g_string_truncate(name, 0);
	for (guint i = 0; i < ltt_perf_catalog_get_n(import->catalog); i++) {
		const LttPerfShape *shape = ltt_perf_catalog_get(import->catalog, i);

		if (shape->attr == (gint)number)
			g_string_printf(name, "%s.%s", shape->facility, shape->name);
	}
	return name->str;
}

static gboolean put_attr(LttPerfImport *import, guint number, GError **error)
{
	const LttPerfAttr *attr = ltt_perf_attrs_get(import->meta->attrs, number);
	const guint n_ids = MIN(attr->ids->len, MOST_IDS);
	g_autoptr(GString) event = g_string_new(NULL);
	guint8 sample_type[64], read_format[64], flags[64];
	const struct perf_file_attr out = {
		.number = number,
		.offset = attr->offset,
		.name = attr->name,
		.event = event_of_attr(import, number, event),
		.type = attr->type,
		.size = attr->size,
		.config = attr->config,
		.period = attr->period,
		.sample_type = {list_bits(attr->sample_type, LTT_PERF_WEIGHT_STRUCT + 1,
					  sample_type),
				sample_type},
		.read_format = {list_bits(attr->read_format, 5, read_format), read_format},
		.flags = {list_bits(attr->flags, 40, flags), flags},
		.wakeup = attr->wakeup,
		.bp_type = attr->bp_type,
		.config1 = attr->config1,
		.config2 = attr->config2,
		.branch_sample_type = attr->branch_sample_type,
		.regs_user = attr->regs_user,
		.stack_user = attr->stack_user,
		.clockid = attr->clockid,
		.regs_intr = attr->regs_intr,
		.aux_watermark = attr->aux_watermark,
		.max_stack = attr->max_stack,
		.aux_sample_size = attr->aux_sample_size,
		.aux_action = attr->aux_action,
		.sig_data = attr->sig_data,
		.config3 = attr->config3,
		.config4 = attr->config4,
		.ids = {n_ids, (const guint64 *)(gconstpointer)attr->ids->data},
		.n_ids = attr->ids->len,
	};

	write_perf_file_attr(&import->payload, &out);
	return ltt_perf_import_put(import, perf_file_attr_index, error);
}

static gboolean put_event_types(LttPerfImport *import, GError **error)
{
	const GArray *types = import->meta->event_types;

	for (guint i = 0; i < types->len; i++) {
		const LttPerfEventType *type = &g_array_index(types, LttPerfEventType, i);

		write_perf_file_event_type(&import->payload, &(const struct perf_file_event_type){
								     .id = type->id,
								     .name = type->name,
							     });
		if (!ltt_perf_import_put(import, perf_file_event_type_index, error))
			return FALSE;
	}
	return TRUE;
}

/* ---- features ---- */

static void tell_fault(const LttPerfImport *import, const LttPerfFeature *feature,
		       const LttPerfFault *fault)
{
	ltt_import_tell(import->job, (gint64)(feature->place + fault->byte),
			"feature %u: %s: %s; it is kept as bytes", feature->bit, fault->field,
			fault->why);
}

/* Writes the payload, which contains the packed fields of a feature. */
static gboolean put_kind(LttPerfImport *import, const LttPerfFeatureKind *kind, GError **error)
{
	return ltt_perf_import_put(
		import, ltt_facility_find_event(import->file.facility, kind->name)->index, error);
}

static gboolean put_fields(LttPerfImport *import, const LttPerfFeature *feature,
			   const LttPerfFeatureKind *kind, const guint8 *bytes, GError **error)
{
	const LttPerfContext context = {.order = import->meta->order,
					.n_times = import->meta->n_cpus};
	LttPerfFault fault;
	gsize taken_bytes;

	if (ltt_perf_pack(kind->fields, kind->n_fields, &context, bytes, (gsize)feature->size,
			  import->payload.bytes, &taken_bytes, &fault))
		return put_kind(import, kind, error);
	tell_fault(import, feature, &fault);
	return TRUE;
}

static gboolean put_tracing_data(LttPerfImport *import, GError **error)
{
	const LttPerfTracing *tracing = &import->meta->tracing;

	if (tracing->version == NULL)
		return TRUE;
	write_perf_file_tracing_data(&import->payload,
				     &(const struct perf_file_tracing_data){
					     .version = tracing->version,
					     .big_endian = tracing->is_big_endian ? 1 : 0,
					     .long_size = (guint8)tracing->long_bytes,
					     .page_size = tracing->page_bytes,
					     .systems = tracing->n_systems,
					     .formats = tracing->formats->len,
				     });
	return ltt_perf_import_put(import, perf_file_tracing_data_index, error);
}

static gboolean put_build_id(LttPerfImport *import, const LttPerfFeature *feature, guint64 place,
			     guint16 misc, const guint8 *body, gsize body_bytes, GError **error)
{
	const LttPerfContext context = {.order = import->meta->order};
	const LttPerfFeature entry = {.bit = feature->bit, .place = place};
	guint n_fields;
	const LttPerfField *fields = ltt_perf_feature_build_id(&n_fields);
	LttPerfFault fault;
	gsize taken_bytes;

	ltt_payload_add_int(&import->payload, LTT_WIDTH_2, misc);
	if (ltt_perf_pack(fields, n_fields, &context, body, body_bytes, import->payload.bytes,
			  &taken_bytes, &fault))
		return ltt_perf_import_put(import, perf_file_build_id_index, error);
	ltt_payload_reset(&import->payload);
	tell_fault(import, &entry, &fault);
	return TRUE;
}

static gboolean put_build_ids(LttPerfImport *import, const LttPerfFeature *feature, GError **error)
{
	const guint64 end = feature->place + feature->size;

	for (guint64 at = feature->place; at < end;) {
		LttPerfRecord record;
		guint64 payload_bytes;
		const char *why = NULL;

		if (!ltt_perf_record_read(ltt_perf_features_window(import), import->meta->order, at,
					  end, &record, &payload_bytes, &why, error)) {
			if (why == NULL)
				return FALSE;
			ltt_import_tell(import->job, (gint64)at,
					"feature 2: %s; it is kept as bytes", why);
			return TRUE;
		}
		if (!put_build_id(import, feature, at + LTT_PERF_RECORD_HEADER_BYTES, record.misc,
				  record.bytes + LTT_PERF_RECORD_HEADER_BYTES,
				  record.size - LTT_PERF_RECORD_HEADER_BYTES, error))
			return FALSE;
		at += record.size;
	}
	return TRUE;
}

static gboolean put_feature_itself(LttPerfImport *import, const LttPerfFeature *feature,
				   const LttPerfFeatureKind *kind, GError **error)
{
	const guint8 *bytes;

	switch (feature->bit) {
	case LTT_PERF_HAS_TRACING_DATA:
		return put_tracing_data(import, error);
	case LTT_PERF_HAS_BUILD_ID:
		return put_build_ids(import, feature, error);
	case LTT_PERF_HAS_BPF_PROG_INFO:
		return ltt_perf_import_programs(import, feature, error);
	case LTT_PERF_HAS_BPF_BTF:
		return ltt_perf_import_btfs(import, feature, error);
	case LTT_PERF_HAS_EVENT_DESC: /* the attrs contain it */
		return TRUE;
	default:
		break;
	}
	if (kind->n_fields == 0)
		return put_kind(import, kind, error);
	if (feature->size > LTT_PERF_MAX_FEATURE_BYTES)
		return TRUE;
	bytes = ltt_window_get(ltt_perf_features_window(import), feature->place,
			       (gsize)feature->size, error);
	if (bytes == NULL)
		return FALSE;
	if (feature->bit == LTT_PERF_HAS_AUXTRACE &&
	    !ltt_perf_feature_aux_has_count(feature->size)) {
		ltt_payload_add_int(&import->payload, LTT_WIDTH_8,
				    feature->size / LTT_PERF_AUX_PLACE_BYTES);
		ltt_payload_add_bytes(&import->payload, bytes, (gsize)feature->size);
		return put_kind(import, kind, error);
	}
	if (feature->bit == LTT_PERF_HAS_CPU_DOMAIN_INFO && feature->size >= sizeof(guint32))
		kind = ltt_perf_feature_domains(ltt_load_u32(bytes, import->meta->order));
	return put_fields(import, feature, kind, bytes, error);
}

static gboolean put_feature(LttPerfImport *import, const LttPerfFeature *feature, GError **error)
{
	const LttPerfFeatureKind *kind = ltt_perf_feature_kind(feature->bit);

	write_perf_file_feature(&import->payload, &(const struct perf_file_feature){
							  .bit = feature->bit,
							  .name = kind != NULL ? kind->name : "",
							  .offset = feature->place,
							  .size = feature->size,
						  });
	return ltt_perf_import_put(import, perf_file_feature_index, error) &&
	       (kind == NULL || !feature->is_there ||
		put_feature_itself(import, feature, kind, error));
}

gboolean ltt_perf_import_file(LttPerfImport *import, GError **error)
{
	if (!put_container(import, error))
		return FALSE;
	for (guint i = 0; i < ltt_perf_attrs_get_n(import->meta->attrs); i++)
		if (!put_attr(import, i, error))
			return FALSE;
	if (!put_event_types(import, error))
		return FALSE;
	for (guint i = 0; i < import->meta->features->len; i++)
		if (!put_feature(import, &g_array_index(import->meta->features, LttPerfFeature, i),
				 error))
			return FALSE;
	return !import->is_directory || ltt_perf_import_copies(import, error);
}
