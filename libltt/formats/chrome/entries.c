/* entries.c - write the entries of a Trace Event JSON file (entries-priv.h). */
#include "formats/chrome/entries-priv.h"

#include "base/escape-priv.h"
#include "print/template-priv.h"

#include <ltt/ltt-print.h>

void ltt_chrome_add_text(LttChromeEntries *entries, const char *text)
{
	ltt_sink_add(&entries->sink, text, strlen(text));
}

void ltt_chrome_add_string(LttChromeEntries *entries, const char *text)
{
	g_autoptr(GString) json = g_string_new(NULL);

	ltt_json_append_string(json, text, -1);
	ltt_chrome_add_text(entries, json->str);
}

char *ltt_chrome_describe(const char *name, const char *category)
{
	GString *json = g_string_new("\"name\":");

	ltt_json_append_string(json, name, -1);
	if (category != NULL) {
		g_string_append(json, ",\"cat\":");
		ltt_json_append_string(json, category, -1);
	}
	return g_string_free(json, FALSE);
}

static void begin_object(LttChromeEntries *entries)
{
	ltt_chrome_add_text(entries, entries->before);
	ltt_chrome_add_text(entries, "{");
	entries->before = ",\n";
}

void ltt_chrome_begin(LttChromeEntries *entries, const char *name, const char *phase,
		      guint64 time_ns, guint32 pid, guint32 tid)
{
	const gboolean is_before = time_ns < entries->start_ns;
	const guint64 distance_ns =
		is_before ? entries->start_ns - time_ns : time_ns - entries->start_ns;
	char text[160];

	begin_object(entries);
	ltt_chrome_add_text(entries, name);
	g_snprintf(text, sizeof(text),
		   ",\"ph\":\"%s\",\"ts\":%s%" G_GUINT64_FORMAT ".%03u,\"pid\":%u,\"tid\":%u",
		   phase, is_before ? "-" : "", distance_ns / 1000, (guint)(distance_ns % 1000),
		   pid, tid);
	ltt_chrome_add_text(entries, text);
}

void ltt_chrome_add_naming(LttChromeEntries *entries, const char *key, guint32 pid, guint32 tid,
			   const char *name)
{
	char text[128];

	begin_object(entries);
	g_snprintf(text, sizeof(text),
		   "\"name\":\"%s\",\"ph\":\"M\",\"pid\":%u,\"tid\":%u,\"args\":{\"name\":", key,
		   pid, tid);
	ltt_chrome_add_text(entries, text);
	ltt_chrome_add_string(entries, name);
	ltt_chrome_add_text(entries, "}}");
}
