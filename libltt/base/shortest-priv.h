/* shortest-priv.h - print a floating point number as the shortest text that reads back to it.
 *
 * Of the decimals that round to the value, the result is one with the fewest digits, and among
 * those the nearest. The width of the value matters: 0.1f is "0.1". The notation is that of
 * Python's repr(), with an exponent below 1e-4 and from 1e16 on, and independent of the locale.
 */
#ifndef LTT_SHORTEST_PRIV_H
#define LTT_SHORTEST_PRIV_H

#ifndef LTT_BUILDING
#error "shortest-priv.h is private to libltt"
#endif

#include <glib.h>

/* Maximum bytes written: "-1.2345678901234567e-308". */
#define LTT_SHORTEST_BYTES 24

/* Write the number without a NUL; "NaN", "Infinity" or "-Infinity" if it is not finite.
 * Return: the number of bytes written */
gsize ltt_shortest_double(double value, char *text);
gsize ltt_shortest_float(float value, char *text);

#endif
