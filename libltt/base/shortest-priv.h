/* shortest-priv.h - floating point numbers as the shortest text that reads back to the same value.
 *
 * Of the decimals that round to the value, the one with the fewest digits is taken, and of several
 * the nearest. The value's own width counts: as a float, 0.1f is "0.1". The text is spelled as
 * Python's repr() spells it, with an exponent below 1e-4 and from 1e16 on, and does not depend on
 * the locale.
 */
#ifndef LTT_SHORTEST_PRIV_H
#define LTT_SHORTEST_PRIV_H

#ifndef LTT_BUILDING
#error "shortest-priv.h is private to libltt"
#endif

#include <glib.h>

/* The most that is written: "-1.2345678901234567e-308". */
#define LTT_SHORTEST_BYTES 24

/* Write the number, without a NUL; "NaN", "Infinity" or "-Infinity" where it is none.
 * Return: the number of bytes written */
gsize ltt_shortest_double(double value, char *text);
gsize ltt_shortest_float(float value, char *text);

#endif
