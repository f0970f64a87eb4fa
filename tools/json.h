/* json.h - write a JSON object to standard output.
 *
 *	json_open(&json, NULL, '{');
 *	json_text(&json, "name", "cpu/0");
 *	json_number(&json, "blocks", 12);
 *	json_close(&json, '}');
 *
 * Commas and newlines are added: members of the outermost object and elements of its lists have a
 * line each; nested values are on the same line.
 */
#ifndef JSON_H
#define JSON_H

#include <glib.h>

typedef struct Json {
	guint depth;
	gboolean has_before; /* the next item at this depth needs a comma */
} Json;

/* @key: NULL for the object as a whole and for elements of a list. @bracket: '{' or '[';
 * '}' or ']' */
void json_open(Json *json, const char *key, char bracket);
void json_close(Json *json, char bracket);

/* @text: NULL is written as null */
void json_text(Json *json, const char *key, const char *text);
void json_number(Json *json, const char *key, guint64 number);
void json_integer(Json *json, const char *key, gint64 number);
/* Writes a number in full precision. @number: finite */
void json_real(Json *json, const char *key, double number);

/* Writes a number with three decimals. @number: finite */
void json_decimal(Json *json, const char *key, double number);
void json_null(Json *json, const char *key);

/* Writes @time_ns as "SECONDS.NNNNNNNNN"; null if @is_there is FALSE. */
void json_time(Json *json, const char *key, gboolean is_there, guint64 time_ns);

/* Writes a block number or an offset; null if @place is LTT_NOWHERE. */
void json_place(Json *json, const char *key, gint64 place);

#endif
