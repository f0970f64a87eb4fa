/* fuzz-view.c - requests to the server of `ltt view`: each answer is JSON, and each refusal has a reason.
 *
 *	input   METHOD " " PATH "?" QUERY "\n" BODY
 *
 * PATH is what follows the token in an address: api/... or tsp/api/.... A "*" in a path of the Trace Server
 * Protocol is the experiment. The view has two traces: spans, counters and states of threads, made here, and a
 * sample. Requests that change the trace, wait for the next map, or run SQL (fuzz-sql.c) are left out.
 */
#include "altered.h"
#include "fuzz.h"
#include "mutate-text.h"

#include "base/directory-priv.h"
#include "view/tsp/call-priv.h"

#include <eventdefs/core.h>
#include <ltt/ltt-error.h>
#include <ltt/ltt-eventdefs.h>
#include <ltt/ltt-join.h>
#include <ltt/ltt-writer.h>
#include <sqlite3.h>
#include <string.h>
#include <unistd.h>

#define N_ROUNDS    200
#define N_CPUS      2
#define BLOCK_BYTES 4096

/* ---- the trace ---- */

static const char description[] =
	"<facility name=\"work\" xmlns:ltt=\"urn:ltt:view\">"
	"<event name=\"begin\"><struct>"
	"<field name=\"id\"><uint size=\"4\"/></field>"
	"<field name=\"depth\" ltt:role=\"counter\"><int size=\"4\"/></field>"
	"<field name=\"name\"><string/></field></struct></event>"
	"<event name=\"end\" ltt:ends=\"begin\"/>"
	"<event name=\"ask\"><struct><field name=\"id\"><uint size=\"4\"/></field></struct></event>"
	"<event name=\"answer\" ltt:ends=\"ask\" ltt:key=\"id\"><struct>"
	"<field name=\"id\"><uint size=\"4\"/></field></struct></event>"
	"</facility>";

typedef struct Writing {
	LttTracefileWriter *file;
	LttPayload payload;
	guint32 tracer;
	guint32 work;
	guint32 core;
	guint64 time_ns;
} Writing;

static void put(Writing *writing, guint32 id)
{
	FUZZ_ASSERT(ltt_tracefile_writer_event(writing->file, writing->time_ns, (guint16)id,
					       writing->payload.bytes->data,
					       writing->payload.bytes->len, NULL));
	ltt_payload_reset(&writing->payload);
	writing->time_ns += 7;
}

/* The event that says which thread the next one is of. */
static void put_thread(Writing *writing, guint32 tid)
{
	ltt_payload_add_int(&writing->payload, LTT_WIDTH_4, 100 + tid / 2);
	ltt_payload_add_int(&writing->payload, LTT_WIDTH_4, 100 + tid);
	put(writing, writing->tracer);
}

static void put_round(Writing *writing, guint32 round)
{
	static const char *const names[] = {"read", "\"quoted\" \\ \n", "gr\303\274n", ""};
	const guint32 tid = round % 5;

	put_thread(writing, tid);
	ltt_payload_add_int(&writing->payload, LTT_WIDTH_4, round);
	ltt_payload_add_int(&writing->payload, LTT_WIDTH_4, round % 17 - 8);
	ltt_payload_add_string(&writing->payload, names[round % G_N_ELEMENTS(names)]);
	put(writing, writing->work);
	if (round % 3 != 0) {
		put_thread(writing, tid);
		put(writing, writing->work + 1);
	}
	put_thread(writing, tid);
	ltt_payload_add_int(&writing->payload, LTT_WIDTH_4, round % 40);
	put(writing, writing->work + 2 + round % 2);
	put_thread(writing, tid);
	write_core_schedchange(&writing->payload,
			       &(const struct core_schedchange){.out = 100 + tid,
								.in = 100 + (tid + 1) % 5,
								.out_state = round % 4});
	put(writing, writing->core + core_schedchange_index);
	put_thread(writing, (tid + 1) % 5);
	write_core_wakeup(&writing->payload,
			  &(const struct core_wakeup){.pid = 100 + tid, .state = 0});
	put(writing, writing->core + core_wakeup_index);
}

static void write_trace(const char *path)
{
	g_autoptr(LttSystem) system = ltt_system_new_local(BLOCK_BYTES);
	g_autoptr(GPtrArray) remarks =
		g_ptr_array_new_with_free_func((GDestroyNotify)ltt_remark_free);
	g_autoptr(GPtrArray) facilities =
		ltt_eventdefs_parse(description, strlen(description), remarks);
	LttTraceWriter *writer;
	Writing writing = {.time_ns = 1000};

	ltt_system_set(system, "cpu", G_STRINGIFY(N_CPUS));
	FUZZ_ASSERT(facilities->len == 1 && remarks->len == 0 && ltt_system_seal(system, NULL));
	writer = ltt_trace_writer_new(path, system, NULL, NULL);
	FUZZ_ASSERT(writer != NULL);
	ltt_payload_init(&writing.payload, ltt_trace_writer_get_arch(writer));
	FUZZ_ASSERT(ltt_trace_writer_load(writer, ltt_eventdefs_get_shipped("tracer"),
					  &writing.tracer, NULL) &&
		    ltt_trace_writer_load(writer, facilities->pdata[0], &writing.work, NULL) &&
		    ltt_trace_writer_load(writer, ltt_eventdefs_get_shipped("core"), &writing.core,
					  NULL));
	for (guint cpu = 0; cpu < N_CPUS; cpu++) {
		g_autofree char *name = g_strdup_printf("cpu/%u", cpu);

		writing.file = ltt_trace_writer_open(writer, name, NULL);
		writing.time_ns = 1000 + cpu;
		for (guint32 round = 0; round < N_ROUNDS; round++)
			put_round(&writing, round);
	}
	FUZZ_ASSERT(ltt_trace_writer_close(writer, NULL));
	ltt_trace_writer_free(writer);
	ltt_payload_clear(&writing.payload);
}

/* ---- the view ---- */

static LttViewMap *map;
static sqlite3 *database;

static void open_view(void)
{
	g_autofree char *name = g_strdup_printf("ltt-fuzz-view-%d", (int)getpid());
	g_autofree char *path = g_build_filename(g_get_tmp_dir(), name, NULL);
	g_autofree char *sample = altered_sample("ltt/flight-recorder");
	LttTrace *traces[2];
	LttTrace *joined;

	if (map != NULL)
		return;
	ltt_directory_remove(path);
	write_trace(path);
	traces[0] = ltt_trace_open(path, NULL);
	traces[1] = ltt_trace_open(sample, NULL);
	FUZZ_ASSERT(traces[0] != NULL && traces[1] != NULL);
	joined = ltt_trace_join(traces, G_N_ELEMENTS(traces), NULL, NULL);
	FUZZ_ASSERT(joined != NULL);
	ltt_trace_read_bookmarks(joined);
	map = ltt_view_map_new(joined, FALSE, NULL);
	ltt_view_map_start(map);
	FUZZ_ASSERT(ltt_view_map_wait(map, NULL));
	ltt_directory_remove(path); /* its files remain open */
	FUZZ_ASSERT(sqlite3_open(":memory:", &database) == SQLITE_OK);
}

static void check_json(const GString *answer)
{
	sqlite3_stmt *statement = NULL;

	FUZZ_ASSERT(g_utf8_validate(answer->str, (gssize)answer->len, NULL));
	FUZZ_ASSERT(sqlite3_prepare_v2(database, "SELECT json_valid(?1)", -1, &statement, NULL) ==
		    SQLITE_OK);
	sqlite3_bind_text(statement, 1, answer->str, (int)answer->len, SQLITE_STATIC);
	FUZZ_ASSERT(sqlite3_step(statement) == SQLITE_ROW && sqlite3_column_int(statement, 0) != 0);
	sqlite3_finalize(statement);
}

/* ---- requests ---- */

static GHashTable *parse_query(const char *query)
{
	GHashTable *parameters = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	g_auto(GStrv) words = g_strsplit(query, "&", 16);

	for (guint i = 0; words[i] != NULL; i++) {
		char *equals = strchr(words[i], '=');
		char *value;

		if (equals == NULL)
			continue;
		*equals = '\0';
		value = g_uri_unescape_string(equals + 1, NULL);
		g_hash_table_insert(parameters, g_strdup(words[i]),
				    value != NULL ? value : g_strdup(equals + 1));
	}
	return parameters;
}

static void ask_page(const char *path, const char *query)
{
	const LttViewAnswerFunc function = ltt_view_find_answer(path);
	g_autoptr(GHashTable) parameters = parse_query(query);
	g_autoptr(GString) answer = g_string_new(NULL);
	g_autoptr(GError) error = NULL;
	LttViewCall call = {
		.map = map, .title = "fuzz", .parameters = parameters, .answer = answer};

	if (function == NULL || function == ltt_view_answer_live || function == ltt_view_answer_sql)
		return;
	if (function(&call, &error))
		check_json(answer);
	else
		FUZZ_ASSERT(g_error_matches(error, LTT_ERROR, LTT_ERROR_INVALID) ||
			    g_error_matches(error, LTT_ERROR, LTT_ERROR_LIMIT));
}

static void ask_tsp(const char *method, const char *path, const char *body, gsize length)
{
	LttTsp *tsp = ltt_tsp_new(map->trace, "fuzz");
	g_auto(GStrv) parts = g_strsplit(path, "*", 2);
	g_autofree char *full = g_strjoinv(tsp->uuid, parts);
	g_autoptr(GString) answer = g_string_new(NULL);
	const LttTspRequest request = {.tsp = tsp,
				       .map = map,
				       .method = method,
				       .path = full,
				       .body = body,
				       .body_length = MIN(length, LTT_TSP_MAX_BODY)};
	const guint status = ltt_tsp_answer(&request, answer);

	FUZZ_ASSERT(status >= MHD_HTTP_OK && status < MHD_HTTP_INTERNAL_SERVER_ERROR);
	check_json(answer);
	ltt_tsp_free(tsp);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *line_end = size > 0 ? memchr(data, '\n', size) : NULL;
	const gsize line_length = line_end != NULL ? (gsize)(line_end - data) : size;
	g_autofree char *line = g_strndup((const char *)data, line_length);
	const gsize body_at = MIN(line_length + 1, size);
	char *path = strchr(line, ' ');
	char *query;

	open_view();
	if (path == NULL)
		return 0;
	*path++ = '\0';
	query = strchr(path, '?');
	if (query != NULL)
		*query++ = '\0';
	if (g_str_has_prefix(path, LTT_TSP_PREFIX))
		ask_tsp(line, path + strlen(LTT_TSP_PREFIX), (const char *)data + body_at,
			size - body_at);
	else
		ask_page(path, query != NULL ? query : "");
	return 0;
}

#ifdef FUZZER
FUZZ_TEXT(0, "GET", "POST", "PUT", "DELETE", "api/trace", "api/progress", "api/lanes", "api/damage",
	  "api/tables", "api/bookmarks", "api/density?", "api/spans?", "api/states?",
	  "api/wakeups?", "api/counters?", "api/events?", "api/stat?", "api/durations?",
	  "api/flame?", "api/filter?", "api/find?", "api/align?", "api/diff?", "from=100&",
	  "to=9000&", "from=1000&to=1050000000200000000&", "before=9000&", "after=7&", "bins=20&",
	  "pixels=50&", "lanes=0,1,2,3&", "lane=2&", "limit=3&", "skip=3&", "number=2&",
	  "symbols=1&", "name=begin&", "text=read&", "index=1&", "node=1&", "event=work.begin&",
	  "events=work.begin,core.wakeup&", "a=0&b=1&", "from_b=1&to_b=9999&",
	  "filter=event%20%3D~%20%22work.*%22&", "filter=cpu%3D%3D0&", "filter=id%3D%3D7&",
	  "was=1&", "%00", "%ff", "%22", ",", "&", "=", "?", "/", "*", "tsp/api/health",
	  "tsp/api/traces", "tsp/api/experiments", "tsp/api/experiments/*",
	  "tsp/api/experiments/*/outputs/", "timeGraph/", "XY/", "data/", "table/", "spans",
	  "states", "counters", "density", "types", "events", "/tree", "/states", "/arrows",
	  "/tooltip", "/xy", "/lines", "/columns", "/style", "/annotations", "/configTypes",
	  "markerSets", "\n", "{\"parameters\":{}}", "{", "}", "[", "]", ":",
	  "\"requested_timerange\":{\"start\":1000,\"end\":9000,\"nbTimes\":50}",
	  "\"requested_times\":[1000,1100]", "\"requested_items\":[0,1,2,65536,65537,131072]",
	  "\"requested_element\":{\"elementType\":\"STATE\",\"time\":1007,\"duration\":49}",
	  "\"requested_table_index\":3", "\"requested_table_count\":5",
	  "\"requested_table_column_ids\":[0,4]", "\"table_search_expressions\":{\"1\":\"work.*\"}",
	  "\"table_search_direction\":\"NEXT\"",
	  "\"filter_query_parameters\":{\"strategy\":\"DEEP\"}", "\"uri\":\"fuzz\"",
	  "\"name\":\"x\"", "\"traces\":[\"x\"]", "null", "true", "[[]]", "\"start\"", "\"end\"",
	  "\"nbTimes\"", "\"\\u0000\"", "\"\\ud800\"", "-1e309")
#endif
