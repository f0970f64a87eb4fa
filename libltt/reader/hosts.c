/* hosts.c - see hosts-priv.h. A trace that was merged from several machines has the attribute `hosts`,
 * with an entry for each of them (doc/format.md, 9.1):
 *
 *	HOST:BOOT_ID:TRACEFILE,TRACEFILE,...
 *	client:8d2a...:control/processes,cpu/0,cpu/1 server:51f0...:control/processes.2,cpu/2
 */
#include "reader/hosts-priv.h"

#include <ltt/ltt-hash.h>
#include <ltt/ltt-join.h>

#include <string.h>

#define ATTRIBUTE LTT_SYSTEM_HOSTS

/* As in the attributes of a machine without a name. */
#define UNKNOWN "unknown"

static void free_host(gpointer data)
{
	LttHost *host = data;

	g_free(host->name);
	g_free(host->boot_id);
	g_free(host);
}

static const LttHost *get_host(const LttTrace *trace, guint index)
{
	return trace->hosts->pdata[index];
}

static void add_host(GPtrArray *hosts, const char *name, const char *boot_id, guint member)
{
	LttHost *host = g_new(LttHost, 1);

	*host = (LttHost){g_strdup(name != NULL && *name != '\0' ? name : UNKNOWN),
			  g_strdup(boot_id != NULL ? boot_id : ""), member};
	g_ptr_array_add(hosts, host);
}

/* ---- one trace ---- */

/* Parses an entry. Returns: FALSE if it is invalid */
static gboolean read_entry(LttTrace *trace, const char *text, GHashTable *by_tracefile)
{
	g_auto(GStrv) parts = g_strsplit(text, ":", 3);
	g_autofree char *name = NULL;
	g_autofree char *boot_id = NULL;
	g_auto(GStrv) files = NULL;

	if (g_strv_length(parts) != 3)
		return FALSE;
	name = g_uri_unescape_string(parts[0], NULL);
	boot_id = g_uri_unescape_string(parts[1], NULL);
	if (name == NULL || boot_id == NULL)
		return FALSE;
	files = g_strsplit(parts[2], ",", -1);
	for (guint i = 0; files[i] != NULL; i++)
		g_hash_table_insert(by_tracefile, g_strdup(files[i]),
				    GUINT_TO_POINTER(trace->hosts->len));
	add_host(trace->hosts, name, boot_id, 0);
	return TRUE;
}

static void read_entries(LttTrace *trace, const char *text)
{
	g_auto(GStrv) entries = g_strsplit(text, " ", -1);
	g_autoptr(GHashTable) by_tracefile =
		g_hash_table_new_full(ltt_hash_text, g_str_equal, g_free, NULL);

	for (guint i = 0; entries[i] != NULL; i++) {
		if (!read_entry(trace, entries[i], by_tracefile))
			ltt_trace_add_problem_printf(
				trace, "info/system.xml",
				ATTRIBUTE ": entry %u: expected HOST:BOOT_ID:TRACEFILES", i + 1);
	}
	for (guint i = 0; i < trace->tracefiles->len; i++) {
		LttTracefile *tracefile = trace->tracefiles->pdata[i];

		tracefile->host =
			GPOINTER_TO_UINT(g_hash_table_lookup(by_tracefile, tracefile->name));
	}
}

static void set_names(const LttTrace *trace)
{
	for (guint i = 0; i < trace->tracefiles->len; i++) {
		LttTracefile *tracefile = trace->tracefiles->pdata[i];

		tracefile->host_name = get_host(trace, tracefile->host)->name;
		tracefile->recording = tracefile->host;
	}
}

void ltt_hosts_read(LttTrace *trace)
{
	const char *text = ltt_system_get(trace->system, ATTRIBUTE);

	trace->hosts = g_ptr_array_new_with_free_func(free_host);
	if (text != NULL)
		read_entries(trace, text);
	if (trace->hosts->len == 0)
		add_host(trace->hosts, ltt_system_get(trace->system, "node_name"),
			 ltt_system_get(trace->system, "boot_id"), 0);
	set_names(trace);
}

/* ---- joined traces ---- */

/* Adds a host of a member, unless @by_boot has its boot id. Returns: its index */
static guint join_host(LttTrace *joined, GHashTable *by_boot, const LttHost *host, guint member)
{
	const guint added = joined->hosts->len;
	gpointer found;

	if (*host->boot_id == '\0') {
		add_host(joined->hosts, host->name, host->boot_id, member);
		return added;
	}
	if (g_hash_table_lookup_extended(by_boot, host->boot_id, NULL, &found))
		return GPOINTER_TO_UINT(found);
	add_host(joined->hosts, host->name, host->boot_id, member);
	g_hash_table_insert(by_boot, get_host(joined, added)->boot_id, GUINT_TO_POINTER(added));
	return added;
}

void ltt_hosts_join(LttTrace *joined)
{
	g_autoptr(GHashTable) by_boot = g_hash_table_new(ltt_hash_text, g_str_equal);

	joined->hosts = g_ptr_array_new_with_free_func(free_host);
	for (guint i = 0; i < joined->members->len; i++) {
		const LttTrace *member = joined->members->pdata[i];
		g_autofree guint *found = g_new(guint, member->hosts->len);

		for (guint j = 0; j < member->hosts->len; j++)
			found[j] = join_host(joined, by_boot, get_host(member, j), i);
		for (guint j = 0; j < member->tracefiles->len; j++) {
			LttTracefile *tracefile = member->tracefiles->pdata[j];

			tracefile->host = found[tracefile->host];
		}
	}
	set_names(joined);
}

/* ---- write ---- */

static void append_escaped(GString *text, const char *word)
{
	g_autofree char *escaped = g_uri_escape_string(word, NULL, FALSE);

	g_string_append(text, escaped);
	g_string_append_c(text, ':');
}

static void free_list(gpointer list)
{
	if (list != NULL)
		g_string_free(list, TRUE);
}

/* Tracefiles of one name, of several traces of a machine, follow each other. Returns: (transfer full): of each
 * host the names of its tracefiles, as a GString; NULL: it has none */
static GPtrArray *list_tracefiles(const LttTrace *trace)
{
	GPtrArray *lists = g_ptr_array_new_with_free_func(free_list);
	g_autofree const char **last = g_new0(const char *, trace->hosts->len);

	g_ptr_array_set_size(lists, (gint)trace->hosts->len);
	for (guint i = 0; i < trace->tracefiles->len; i++) {
		const LttTracefile *tracefile = trace->tracefiles->pdata[i];
		const guint host = tracefile->host;

		if (g_strcmp0(tracefile->name, last[host]) == 0)
			continue;
		if (lists->pdata[host] == NULL)
			lists->pdata[host] = g_string_new(NULL);
		g_string_append_printf(lists->pdata[host], "%s%s", last[host] != NULL ? "," : "",
				       tracefile->name);
		last[host] = tracefile->name;
	}
	return lists;
}

void ltt_hosts_describe(const LttTrace *trace, LttSystem *system)
{
	g_autoptr(GString) text = g_string_new(NULL);
	g_autoptr(GPtrArray) lists = list_tracefiles(trace);

	for (guint i = 0; i < trace->hosts->len; i++) {
		const GString *tracefiles = lists->pdata[i];

		if (i > 0)
			g_string_append_c(text, ' ');
		append_escaped(text, get_host(trace, i)->name);
		append_escaped(text, get_host(trace, i)->boot_id);
		if (tracefiles != NULL)
			g_string_append(text, tracefiles->str);
	}
	ltt_system_set(system, ATTRIBUTE, trace->hosts->len > 1 ? text->str : NULL);
}

void ltt_hosts_hide_names(LttSystem *system)
{
	g_auto(GStrv) entries = g_strsplit(ltt_system_get(system, ATTRIBUTE), " ", -1);
	g_autoptr(GString) hidden = g_string_new(NULL);

	for (guint i = 0; entries[i] != NULL; i++) {
		const char *files = strrchr(entries[i], ':');

		g_string_append_printf(hidden, "%s::%s", i > 0 ? " " : "",
				       files != NULL ? files + 1 : "");
	}
	ltt_system_set(system, ATTRIBUTE, hidden->str);
}

/* ---- read ---- */

guint ltt_trace_get_n_hosts(const LttTrace *trace)
{
	return trace->hosts->len;
}

gboolean ltt_trace_has_hosts(const LttTrace *trace)
{
	for (guint i = 1; i < trace->hosts->len; i++) {
		if (!g_str_equal(get_host(trace, i)->name, get_host(trace, 0)->name))
			return TRUE;
	}
	return FALSE;
}

const char *ltt_trace_get_host(const LttTrace *trace, guint host)
{
	return get_host(trace, host)->name;
}

guint ltt_trace_find_host_member(const LttTrace *joined, guint host)
{
	return get_host(joined, host)->member;
}

guint ltt_tracefile_get_host(const LttTracefile *tracefile)
{
	return tracefile->host;
}

const char *ltt_event_get_host(const LttEvent *event)
{
	return event->tracefile->host_name;
}
