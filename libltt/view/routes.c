/* routes.c - the paths of the requests of the page. */
#include "view/request-priv.h"

static const struct {
	const char *path;
	LttViewAnswerFunc answer;
} answers[] = {
	{"api/trace", ltt_view_answer_trace},         {"api/progress", ltt_view_answer_progress},
	{"api/density", ltt_view_answer_density},     {"api/lanes", ltt_view_answer_lanes},
	{"api/spans", ltt_view_answer_spans},         {"api/events", ltt_view_answer_events},
	{"api/stat", ltt_view_answer_stat},           {"api/sql", ltt_view_answer_sql},
	{"api/tables", ltt_view_answer_tables},       {"api/filter", ltt_view_answer_filter},
	{"api/find", ltt_view_answer_find},           {"api/diff", ltt_view_answer_diff},
	{"api/bookmarks", ltt_view_answer_bookmarks}, {"api/states", ltt_view_answer_states},
	{"api/wakeups", ltt_view_answer_wakeups},     {"api/counters", ltt_view_answer_counters},
	{"api/durations", ltt_view_answer_durations}, {"api/flame", ltt_view_answer_flame},
	{"api/live", ltt_view_answer_live},           {"api/damage", ltt_view_answer_damage},
	{"api/align", ltt_view_answer_align},
};

/* Answers to POST. */
static const struct {
	const char *path;
	LttViewAnswerFunc change;
} changes[] = {
	{"api/bookmarks", ltt_view_change_bookmarks},
};

LttViewAnswerFunc ltt_view_find_answer(const char *path)
{
	for (guint i = 0; i < G_N_ELEMENTS(answers); i++) {
		if (g_str_equal(path, answers[i].path))
			return answers[i].answer;
	}
	return NULL;
}

LttViewAnswerFunc ltt_view_find_change(const char *path)
{
	for (guint i = 0; i < G_N_ELEMENTS(changes); i++) {
		if (g_str_equal(path, changes[i].path))
			return changes[i].change;
	}
	return NULL;
}
