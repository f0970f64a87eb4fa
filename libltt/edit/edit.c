/* edit.c - the directory of a trace that is derived from another.
 *
 * It is written from the parsed source, not copied: descriptions with mistakes, ignored loads and
 * attributes out of bounds are left out. Event ids do not change, so that blocks can be copied.
 */
#include "edit/edit-priv.h"

#include "base/directory-priv.h"
#include "base/error-priv.h"
#include "model/ondisk-priv.h"

#include <eventdefs/builtin.h>
#include <ltt/ltt-bookmarks.h>
#include <ltt/ltt-eventdefs.h>

#include <string.h>

/* ---- info/system.xml ---- */

static void set_number(LttSystem *system, const char *name, guint number)
{
	g_autofree char *text = g_strdup_printf("%u", number);

	ltt_system_set(system, name, text);
}

/* The numbers of cpu files must be below the attribute cpu of the system. The last of them may be
 * lanes, and remain so. */
static void settle_cpus(LttSystem *system, const LttTrace *trace)
{
	const guint n_cpus = ltt_system_get_n_cpus(system);
	const guint n_lanes = ltt_system_get_n_lanes(system);
	const guint n_kernel = ltt_system_get_n_kernel_files(system);
	guint n_needed = n_cpus;

	for (guint i = 0; i < trace->tracefiles->len; i++) {
		const LttTracefile *tracefile = trace->tracefiles->pdata[i];

		n_needed = MAX(n_needed, (guint)(tracefile->cpu + 1));
	}
	if (n_needed == n_cpus)
		return;
	set_number(system, "cpu", n_needed);
	if (n_kernel > 0)
		set_number(system, "kernel", n_needed - n_cpus + n_kernel);
	else if (ltt_system_get(system, "lanes") != NULL)
		set_number(system, "lanes", n_needed - n_cpus + n_lanes);
}

gboolean ltt_edit_write_system(const LttEdit *edit, GError **error)
{
	g_autoptr(LttSystem) system =
		ltt_system_dup(edit->system != NULL ? edit->system : edit->trace->system);
	g_autofree char *text = NULL;

	settle_cpus(system, edit->trace);
	if (!edit->form.is_dialect_22)
		ltt_system_set(system, "ltt_minor_version", "0");
	text = ltt_system_print(system);
	return ltt_directory_write(edit->path, "info/system.xml", text, error);
}

/* ---- the form of blocks ---- */

gint ltt_edit_find_id(const LttSlots *slots, LttEventRole role, const char *name)
{
	for (guint id = 0; id < slots->slots->len; id++) {
		const LttSlot *slot = ltt_slots_get(slots, (guint16)id);

		if (slot != NULL && slot->role == role &&
		    (name == NULL || g_str_equal(slot->type->name, name)))
			return (gint)id;
	}
	return -1;
}

/* A trace of the historical dialect without a core facility for its blocks gets today's dialect. */
static gboolean has_dialect_22(const LttTrace *trace)
{
	return ltt_system_is_dialect_22(trace->system) &&
	       !g_str_equal(ltt_facility_get_name(trace->slots->first->facility), "builtin");
}

static LttBlockForm get_form(const LttTrace *trace)
{
	const LttSlots *slots = trace->slots;
	LttBlockForm form = ltt_block_form;
	const gint heartbeat = ltt_edit_find_id(slots, LTT_ROLE_HEARTBEAT, NULL);

	if (!has_dialect_22(trace) || heartbeat < 0)
		return form;
	form = (LttBlockForm){
		.is_dialect_22 = TRUE,
		.start_id = (guint16)slots->block_start_id,
		.end_id = (guint16)slots->block_end_id,
		.heartbeat_id = (guint16)heartbeat,
		.block_payload_bytes = slots->block_start_bytes - (guint32)LTT_EVENT_HEADER_BYTES,
		.heartbeat_payload_bytes = ltt_slots_get(slots, (guint16)heartbeat)->payload_bytes,
		.seconds_at = slots->block.seconds_at,
		.nanoseconds_at = slots->block.nanoseconds_at,
		.cycles_at = slots->block.cycles_at,
		.block_id_at = slots->block.block_id_at,
	};
	return form;
}

/* The origin is the first time value of control/facilities, or else the start of the trace. */
static gboolean find_origin(LttEdit *edit, GError **error)
{
	LttTrace *trace = edit->trace;
	g_autoptr(GError) failure = NULL;
	guint64 end_ns;
	gboolean is_found = FALSE;
	LttBlock block;

	ltt_block_init(&block);
	for (guint i = 0; i < trace->tracefiles->len && failure == NULL; i++) {
		LttTracefile *tracefile = trace->tracefiles->pdata[i];

		if (g_str_equal(tracefile->name, "control/facilities") &&
		    ltt_tracefile_get_n_ordered(tracefile) > 0 &&
		    ltt_block_load_untimed(&block, tracefile, 0, &failure) &&
		    block.stamps->len > 0) {
			edit->origin = g_array_index(block.stamps, LttTimeValue, 0);
			is_found = TRUE;
		}
	}
	ltt_block_clear(&block);
	if (failure != NULL && !g_error_matches(failure, LTT_ERROR, LTT_ERROR_CORRUPT)) {
		g_propagate_error(error, g_steal_pointer(&failure));
		return FALSE;
	}
	if (!is_found && ltt_trace_get_span(trace, &edit->origin.time_ns, &end_ns))
		edit->origin.time_ns = MIN(edit->origin.time_ns, LTT_MAX_FOUND_NS);
	return TRUE;
}

/* ---- loads and descriptions ---- */

static void add_facility(GPtrArray *facilities, const LttFacility *facility)
{
	if (!g_ptr_array_find(facilities, facility, NULL))
		g_ptr_array_add(facilities, (gpointer)facility);
}

static void add_load(LttEdit *edit, LttRewriter *out, const LttFacility *facility,
		     guint32 base_code, const LttTimeValue *at)
{
	const gint id = ltt_edit_find_id(edit->trace->slots, LTT_ROLE_FACILITY_LOAD, NULL);
	LttEditEvent event = {.cycles = at->cycles, .time_ns = at->time_ns, .id = (guint16)id};
	g_auto(LttPayload) payload;

	ltt_payload_init(&payload, ltt_system_get_arch(edit->trace->system));
	write_builtin_facility_load(&payload,
				    &(const struct builtin_facility_load){
					    .name = ltt_facility_get_name(facility),
					    .checksum = ltt_facility_get_checksum(facility),
					    .base_code = base_code,
				    });
	event.payload = payload.bytes->data;
	event.payload_bytes = payload.bytes->len;
	ltt_rewriter_add(out, &event);
	add_facility(edit->facilities, facility);
}

void ltt_edit_load(LttEdit *edit, LttRewriter *out, const GPtrArray *loads, const LttTimeValue *at)
{
	ltt_rewriter_begin(out, at, at);
	for (guint i = 0; i < loads->len; i++) {
		const LttLoad *load = loads->pdata[i];

		if (load != edit->trace->slots->first)
			add_load(edit, out, load->facility, load->base_code, at);
	}
}

void ltt_edit_load_tracer(LttEdit *edit, LttRewriter *out)
{
	ltt_rewriter_begin(out, &edit->origin, &edit->origin);
	add_load(edit, out, edit->tracer, edit->tracer_base, &edit->origin);
}

/* Returns: (transfer full): "core"; for further versions of a name "core-3f32b290" */
static char *file_name_of(const LttEdit *edit, guint index)
{
	const LttFacility *facility = edit->facilities->pdata[index];
	const char *name = ltt_facility_get_name(facility);

	for (guint i = 0; i < index; i++) {
		if (g_str_equal(ltt_facility_get_name(edit->facilities->pdata[i]), name))
			return g_strdup_printf("eventdefs/%s-%08x.xml", name,
					       ltt_facility_get_checksum(facility));
	}
	return g_strdup_printf("eventdefs/%s.xml", name);
}

gboolean ltt_edit_describe(const LttEdit *edit, GError **error)
{
	for (guint i = 0; i < edit->facilities->len; i++) {
		g_autofree char *name = file_name_of(edit, i);
		g_autofree char *text = ltt_eventdefs_print(edit->facilities->pdata[i]);

		if (!ltt_directory_write(edit->path, name, text, error))
			return FALSE;
	}
	return TRUE;
}

/* ---- bookmarks ---- */

static gboolean is_in_cycles(const LttEdit *edit, const LttBookmark *bookmark)
{
	for (guint i = 0; i < edit->spans->len; i++) {
		const LttEditSpan *span = &g_array_index(edit->spans, LttEditSpan, i);

		if ((bookmark->cpu < 0 || bookmark->cpu == span->cpu) &&
		    bookmark->start <= span->most_cycles && bookmark->end >= span->least_cycles)
			return TRUE;
	}
	return FALSE;
}

static gboolean has_cpu(const LttEdit *edit, gint cpu)
{
	for (guint i = 0; i < edit->trace->tracefiles->len; i++) {
		const LttTracefile *tracefile = edit->trace->tracefiles->pdata[i];

		if (tracefile->cpu == cpu)
			return edit->request->select == NULL ||
			       ltt_select_wants_tracefile(edit->request->select, tracefile);
	}
	return TRUE;
}

/* Returns: whether a bookmark is within the selection; without a window, all are */
static gboolean is_left(const LttEdit *edit, const LttBookmark *bookmark)
{
	if (edit->redactor != NULL)
		return FALSE;
	if (bookmark->cpu >= 0 && !has_cpu(edit, bookmark->cpu))
		return FALSE;
	if (!edit->has_window)
		return TRUE;
	if (bookmark->unit == LTT_BOOKMARK_CYCLES)
		return is_in_cycles(edit, bookmark);
	return bookmark->start < edit->to_ns && bookmark->end >= edit->from_ns;
}

gboolean ltt_edit_bookmarks(const LttEdit *edit, GError **error)
{
	const GPtrArray *all = ltt_trace_read_bookmarks(edit->trace);
	g_autoptr(GPtrArray) left = g_ptr_array_new();
	g_autofree char *text = NULL;

	for (guint i = 0; i < all->len; i++) {
		if (is_left(edit, all->pdata[i]))
			g_ptr_array_add(left, all->pdata[i]);
	}
	if (left->len == 0)
		return TRUE;
	text = ltt_bookmarks_print(left);
	return ltt_directory_write(edit->path, "info/bookmarks.xml", text, error);
}

/* ---- the directory ---- */

gboolean ltt_edit_begin(LttEdit *edit, GError **error)
{
	edit->form = get_form(edit->trace);
	edit->must_rewrite =
		edit->redactor != NULL ||
		(ltt_system_is_dialect_22(edit->trace->system) && !edit->form.is_dialect_22);
	edit->is_live = edit->trace->is_live;
	ltt_trace_hold_loads(edit->trace);
	edit->holds_loads = TRUE;
	edit->facilities = g_ptr_array_new();
	edit->spans = g_array_new(FALSE, FALSE, sizeof(LttEditSpan));
	if (edit->form.is_dialect_22)
		add_facility(edit->facilities, edit->trace->slots->first->facility);
	if (!find_origin(edit, error) ||
	    !ltt_aside_make_directory(&edit->aside, edit->request->path, error))
		return FALSE;
	edit->path = g_build_filename(edit->aside.path, LTT_ASIDE_TRACE, NULL);
	return ltt_directory_make(edit->path, LTT_TRACE_FOLDERS, error) &&
	       ltt_edit_write_system(edit, error);
}

gboolean ltt_edit_settle(LttEdit *edit, GError **error)
{
	return ltt_aside_settle_part(&edit->aside, LTT_ASIDE_TRACE, error);
}

void ltt_edit_clear(LttEdit *edit)
{
	if (edit->holds_loads)
		ltt_trace_release_loads(edit->trace);
	edit->holds_loads = FALSE;
	g_clear_pointer(&edit->facilities, g_ptr_array_unref);
	g_clear_pointer(&edit->spans, g_array_unref);
	g_clear_pointer(&edit->losses, g_ptr_array_unref);
	g_clear_pointer(&edit->needed, g_hash_table_unref);
	g_clear_pointer(&edit->path, g_free);
	ltt_aside_clear(&edit->aside);
}

LttRewriter *ltt_edit_open(const LttEdit *edit, const char *name, GError **error)
{
	g_autofree char *path = g_build_filename(edit->path, name, NULL);
	LttRewriter *out =
		ltt_rewriter_new(path, ltt_system_get_block_bytes(edit->trace->system),
				 ltt_system_get_arch(edit->trace->system)->byte_order, error);

	if (out != NULL)
		ltt_rewriter_set_form(out, &edit->form);
	return out;
}
