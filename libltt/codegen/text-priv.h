/* text-priv.h - C source text in the making: indented lines, lists, comments, string literals.
 *
 * A text that has reached its limit takes no more and says so; whoever writes much looks now and
 * then, and the whole is an error in the end.
 */
#ifndef LTT_TEXT_PRIV_H
#define LTT_TEXT_PRIV_H

#ifndef LTT_BUILDING
#error "text-priv.h is private to libltt; use <ltt/ltt-codegen.h>"
#endif

#include <glib.h>

typedef struct LttText {
	GString *bytes; /* owned */
	guint indent;   /* tabs in front of the next lines */
	gsize limit_bytes;
	gboolean is_full;
} LttText;

void ltt_text_init(LttText *text, gsize limit_bytes);
void ltt_text_clear(LttText *text); /* frees what it holds */

void ltt_text_line(LttText *text, const char *format, ...) G_GNUC_PRINTF(2, 3);
void ltt_text_gap(LttText *text); /* an empty line */
void ltt_text_append(LttText *text, const LttText *other);

/* A line that begins a block, or one that ends it. */
void ltt_text_open(LttText *text, const char *format, ...) G_GNUC_PRINTF(2, 3);
void ltt_text_close(LttText *text, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* "TO = FROM;" and "for (size_t INDEX = 0; CONDITION; INDEX++) {", broken if too long. The latter
 * begins a block. */
void ltt_text_assign(LttText *text, const char *to, const char *from);
void ltt_text_loop(LttText *text, const char *index, const char *condition);

/* @head, the @items (of char *) with commas between, @tail; broken to 100 columns, the further
 * lines beginning under the first item. */
void ltt_text_list(LttText *text, const char *head, const GPtrArray *items, const char *tail);

/* Words from a description, as a comment of its own. */
void ltt_text_comment(LttText *text, const char *words);

/* A declaration, and words from a description behind it or, if there is no room, before it. */
void ltt_text_member(LttText *text, const char *declaration, const char *words);

/* Words from a description inside a comment that is open, broken to 100 columns, behind " * " and
 * @lead. */
void ltt_text_comment_lines(LttText *text, const char *lead, const char *words);

/* @string as literals, one for each of its lines; @tail behind the last. */
void ltt_text_string(LttText *text, const char *string, const char *tail);

/**
 * ltt_comment_words:
 * @untrusted: (nullable): any text
 *
 * Returns: (transfer full): it as words with one space between them, which neither end a comment
 *   nor change how what stands around it looks or is read; "" if there are none
 */
char *ltt_comment_words(const char *untrusted);

#endif
