/* styles.c - the colours of states (style-priv.h). */
#include "view/states-priv.h"
#include "view/tsp/call-priv.h"
#include "view/tsp/style-priv.h"

/* Colours that differ for colour-blind people too (Okabe and Ito). */
static const char *const colours[LTT_TSP_COLOURS] = {
	"#e69f00", "#56b4e9", "#009e73", "#f0e442", "#0072b2", "#d55e00", "#cc79a7", "#999999",
};

guint ltt_tsp_colour(const char *name)
{
	return g_str_hash(name) % LTT_TSP_COLOURS;
}

static const struct {
	const char *name;
	const char *colour;
	const char *height;
} thread_states[LTT_VIEW_N_STATES] =
	{
		[LTT_VIEW_UNKNOWN] = {"unknown", "#ffffff", "0.1"},
		[LTT_VIEW_RUNNING] = {"running", "#009e73", "1.0"},
		[LTT_VIEW_RUNNABLE] = {"runnable, without a CPU", "#e69f00", "0.75"},
		[LTT_VIEW_PREEMPTED] = {"preempted", "#d55e00", "0.75"},
		[LTT_VIEW_SLEEPING] = {"waiting", "#9aa7b5", "0.3"},
		[LTT_VIEW_DISK_SLEEPING] = {"waiting, uninterruptible", "#7a3b8f", "0.5"},
		[LTT_VIEW_STOPPED] = {"stopped", "#56b4e9", "0.3"},
},
  cpu_states[LTT_N_CPU_STATES] = {
	  [LTT_CPU_UNKNOWN] = {"unknown", "#ffffff", "0.1"},
	  [LTT_CPU_THREAD] = {"thread", "#009e73", "1.0"},
	  [LTT_CPU_SOFTIRQ] = {"softirq", "#0072b2", "1.0"},
	  [LTT_CPU_IRQ] = {"interrupt", "#8c4a2f", "1.0"},
	  [LTT_CPU_IDLE] = {"idle", "#6b7785", "0.15"},
};

const char *ltt_tsp_state_name(gboolean is_cpu, guint16 state)
{
	return is_cpu ? cpu_states[state].name : thread_states[state].name;
}

char *ltt_tsp_state_style(gboolean is_cpu, guint16 state)
{
	return g_strdup_printf("%s %s", is_cpu ? "CPU" : "thread",
			       ltt_tsp_state_name(is_cpu, state));
}

static void append_style(GString *out, const char *key, const char *colour, const char *height)
{
	g_string_append_printf(out,
			       "\"%s\":{\"values\":{\"style-name\":\"%s\","
			       "\"background-color\":\"%s\",\"color\":\"%s\",\"height\":%s,"
			       "\"opacity\":1.0}}",
			       key, key, colour, colour, height);
}

static void append_state_styles(GString *out)
{
	for (guint16 i = 0; i < LTT_VIEW_N_STATES; i++) {
		g_autofree char *key = ltt_tsp_state_style(FALSE, i);

		append_style(out, key, thread_states[i].colour, thread_states[i].height);
		g_string_append_c(out, ',');
	}
	for (guint16 i = 0; i < LTT_N_CPU_STATES; i++) {
		g_autofree char *key = ltt_tsp_state_style(TRUE, i);

		append_style(out, key, cpu_states[i].colour, cpu_states[i].height);
		g_string_append_c(out, ',');
	}
}

gboolean ltt_tsp_styles(LttTspCall *call, GError **error)
{
	GString *out = call->view.answer;

	(void)error;
	ltt_tsp_begin(call);
	g_string_append(out, "{\"styles\":{");
	for (guint i = 0; i < LTT_TSP_COLOURS; i++) {
		g_autofree char *key = g_strdup_printf("%u", i);

		append_style(out, key, colours[i], "1.0");
		g_string_append_c(out, ',');
	}
	append_state_styles(out);
	append_style(out, LTT_TSP_WAKEUP, "#1c1c1e", "1.0");
	g_string_append_c(out, ',');
	append_style(out, LTT_TSP_MANY, "#777777", "0.6");
	g_string_append(out, "}}");
	ltt_tsp_end(call, LTT_VIEW_COUNTING);
	return TRUE;
}
