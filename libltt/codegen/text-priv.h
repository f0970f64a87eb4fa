/* text-priv.h - write C source text: indented lines, lists, comments, string literals.
 *
 * A text at its size limit ignores further text and sets is_full. Loops check that flag, and the
 * caller reports an error at the end.
 */
#ifndef LTT_TEXT_PRIV_H
#define LTT_TEXT_PRIV_H

#ifndef LTT_BUILDING
#error "text-priv.h is private to libltt; use <ltt/ltt-codegen.h>"
#endif

#include <glib.h>

typedef struct LttText {
	GString *bytes; /* owned */
	guint indent;   /* tabs at the start of the next lines */
	gsize limit_bytes;
	gboolean is_full;
} LttText;

void ltt_text_init(LttText *text, gsize limit_bytes);
void ltt_text_clear(LttText *text); /* frees its members */

void ltt_text_line(LttText *text, const char *format, ...) G_GNUC_PRINTF(2, 3);
void ltt_text_gap(LttText *text); /* an empty line */
void ltt_text_append(LttText *text, const LttText *other);

/* Write the line that begins a block, and the line that ends it. */
void ltt_text_open(LttText *text, const char *format, ...) G_GNUC_PRINTF(2, 3);
void ltt_text_close(LttText *text, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* Write "TO = FROM;" and "for (size_t INDEX = 0; CONDITION; INDEX++) {", wrapped if too long. The
 * latter begins a block. */
void ltt_text_assign(LttText *text, const char *to, const char *from);
void ltt_text_loop(LttText *text, const char *index, const char *condition);

/* Writes @head, the @items (of char *) separated by commas, and @tail, wrapped at 100 columns.
 * Continuation lines are aligned with the first item. */
void ltt_text_list(LttText *text, const char *head, const GPtrArray *items, const char *tail);

/* Writes words from a description as a comment. */
void ltt_text_comment(LttText *text, const char *words);

/* Writes a declaration, with words from a description as a comment after it, or before it if there
 * is no room. */
void ltt_text_member(LttText *text, const char *declaration, const char *words);

/* Writes words from a description inside an open comment, wrapped at 100 columns, after " * " and
 * @lead. */
void ltt_text_comment_lines(LttText *text, const char *lead, const char *words);

/* Writes @string as literals, one for each of its lines, and @tail after the last. */
void ltt_text_string(LttText *text, const char *string, const char *tail);

/**
 * ltt_comment_words:
 * @untrusted: (nullable): any text
 *
 * Returns: (transfer full): its words, separated by one space. They cannot end a comment, nor change
 *   how the surrounding source is displayed or parsed; "" if there are none
 */
char *ltt_comment_words(const char *untrusted);

#endif
