/* nearest.c - Damerau-Levenshtein distance: letters to change, insert, delete or transpose.
 *
 * A word is similar if it begins with the given word, or if its distance is at most a third of its
 * length, or 1: "dmup" suggests dump, "foo" suggests nothing.
 */
#include <ltt/ltt-nearest.h>

#include <string.h>

#define MAX_LETTERS 32

static guint distance(const char *a, const char *b)
{
	guint rows[MAX_LETTERS + 1][MAX_LETTERS + 1];
	gsize a_length = strlen(a);
	gsize b_length = strlen(b);

	if (a_length > MAX_LETTERS || b_length > MAX_LETTERS)
		return G_MAXUINT;
	for (guint i = 0; i <= a_length; i++)
		rows[i][0] = i;
	for (guint j = 0; j <= b_length; j++)
		rows[0][j] = j;
	for (guint i = 1; i <= a_length; i++) {
		for (guint j = 1; j <= b_length; j++) {
			guint best = rows[i - 1][j - 1] + (a[i - 1] != b[j - 1]);

			best = MIN(best, rows[i - 1][j] + 1);
			best = MIN(best, rows[i][j - 1] + 1);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				best = MIN(best, rows[i - 2][j - 2] + 1);
			rows[i][j] = best;
		}
	}
	return rows[a_length][b_length];
}

const char *ltt_nearest(const char *word, const char *const *words)
{
	const char *best = NULL;
	guint least = G_MAXUINT;

	for (; *words != NULL; words++) {
		guint letters = distance(word, *words);
		guint allowed = MAX(1, (guint)strlen(*words) / 3);

		if (word[0] != '\0' && g_str_has_prefix(*words, word))
			letters = 0;
		if (letters <= allowed && letters < least) {
			best = *words;
			least = letters;
		}
	}
	return best;
}
