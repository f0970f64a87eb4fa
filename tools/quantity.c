/* quantity.c - see quantity.h. */
#include "quantity.h"
#include "tool.h"

#include <ltt/ltt-time.h>

#include <signal.h>
#include <string.h>

static const char units[] = "KMGT";

gboolean quantity_parse_bytes(const char *text, guint64 *bytes)
{
	const char *digits = text;
	guint shift = 0;
	guint64 value;
	char *unit;

	while (g_ascii_isdigit(*digits))
		digits++;
	if (digits == text || digits - text > 19)
		return FALSE;
	value = g_ascii_strtoull(text, &unit, 10);
	if (g_str_equal(unit, "bytes"))
		unit += strlen(unit);
	for (guint i = 0; *unit != '\0' && units[i] != '\0'; i++)
		if (g_ascii_toupper(*unit) == units[i])
			shift = 10 * (i + 1);
	if (shift != 0)
		unit += g_ascii_strcasecmp(unit + 1, "iB") == 0 ? 3 : 1;
	if (*unit != '\0' || value > G_MAXUINT64 >> shift)
		return FALSE;
	*bytes = value << shift;
	return TRUE;
}

gboolean quantity_parse_ms(const char *text, guint32 *milliseconds)
{
	const guint64 ns_per_ms = LTT_NS_PER_S / 1000;
	guint64 ns;

	if (!ltt_duration_parse(text, 0, &ns, NULL) || ns == 0 || ns % ns_per_ms != 0 ||
	    ns / ns_per_ms > G_MAXUINT32)
		return FALSE;
	*milliseconds = (guint32)(ns / ns_per_ms);
	return TRUE;
}

gboolean quantity_take_duration(const char *text, guint64 *milliseconds)
{
	guint32 ms = 0;

	if (text != NULL && !quantity_parse_ms(text, &ms)) {
		tool_fail("--duration %s: expected a time such as 500ms or 10s", text);
		return FALSE;
	}
	*milliseconds = ms;
	return TRUE;
}

gboolean quantity_parse_signal(const char *text, int *number)
{
	static const struct {
		const char *name;
		int number;
	} signals[] = {
		{"USR1", SIGUSR1}, {"USR2", SIGUSR2},   {"ALRM", SIGALRM}, {"VTALRM", SIGVTALRM},
		{"PROF", SIGPROF}, {"WINCH", SIGWINCH}, {"IO", SIGIO},     {"PWR", SIGPWR},
	};
	const char *bare = g_str_has_prefix(text, "SIG") ? text + 3 : text;
	guint64 asked = 0;

	(void)g_ascii_string_to_unsigned(text, 10, 1, 64, &asked, NULL);
	for (guint i = 0; i < G_N_ELEMENTS(signals); i++) {
		if (g_str_equal(bare, signals[i].name) || asked == (guint64)signals[i].number) {
			*number = signals[i].number;
			return TRUE;
		}
	}
	return FALSE;
}
