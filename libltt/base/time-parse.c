/* time-parse.c - parse times and durations as users write them: numbers with units, dates, and times
 * of a day.
 */
#include "base/error-priv.h"
#include "base/time-priv.h"
#include "base/zone-priv.h"

#include <string.h>

#define MAX_DIGITS   19 /* of which at most MAX_DECIMALS are after the point */
#define MAX_DECIMALS 9

/* Longer units first, because "ms" begins with "m". */
static const struct {
	const char *name;
	guint64 ns;
} units[] = {
	{"ns", 1},
	{"us", 1000},
	{"ms", 1000 * 1000},
	{"s", LTT_NS_PER_S},
	{"m", 60 * (guint64)LTT_NS_PER_S},
	{"h", 3600 * (guint64)LTT_NS_PER_S},
};

/* Forms of text that are not accepted. */
typedef enum Fault {
	FAULT_NONE,
	FAULT_FORM,
	FAULT_NO_UNIT,
	FAULT_RANGE,
	FAULT_TOO_FINE, /* not an integer number of nanoseconds */
} Fault;

/* A decimal number: digits / 10^n_decimals. */
typedef struct Decimal {
	guint64 digits;
	guint n_digits;
	guint n_decimals;
} Decimal;

/* Takes a decimal number. Returns: what follows it */
static const char *take_decimal(const char *at, Decimal *decimal)
{
	gboolean has_point = FALSE;

	*decimal = (Decimal){0};
	for (;; at++) {
		if (*at == '.' && !has_point) {
			has_point = TRUE;
			continue;
		}
		if (!g_ascii_isdigit(*at) || decimal->n_decimals > MAX_DECIMALS)
			return at;
		if (decimal->n_digits < MAX_DIGITS)
			decimal->digits = decimal->digits * 10 + (guint64)(*at - '0');
		/* Zeros in front do not count. */
		decimal->n_digits += decimal->digits > 0 || decimal->n_digits > 0 ? 1 : 0;
		decimal->n_decimals += has_point ? 1 : 0;
	}
}

/* Multiplies a number by a unit. */
static Fault scale(const Decimal *decimal, guint64 unit_ns, guint64 *ns)
{
	unsigned __int128 product = (unsigned __int128)decimal->digits * unit_ns;

	if (decimal->n_digits > MAX_DIGITS)
		return FAULT_RANGE;
	for (guint i = 0; i < decimal->n_decimals; i++) {
		if (product % 10 != 0)
			return FAULT_TOO_FINE;
		product /= 10;
	}
	if (product > LTT_MAX_TIME_NS)
		return FAULT_RANGE;
	*ns = (guint64)product;
	return FAULT_NONE;
}

/* Parses a number with a unit. @plain_ns: unit of a number without one; 0: a unit is needed */
static Fault parse_amount(const char *text, guint64 plain_ns, guint64 *ns)
{
	Decimal decimal;
	const char *unit = take_decimal(text, &decimal);

	if (!g_ascii_isdigit(text[0]) && !(text[0] == '.' && g_ascii_isdigit(text[1])))
		return FAULT_FORM;
	if (decimal.n_decimals > MAX_DECIMALS)
		return FAULT_FORM;
	if (*unit == '\0')
		return plain_ns > 0 ? scale(&decimal, plain_ns, ns) : FAULT_NO_UNIT;
	for (guint i = 0; i < G_N_ELEMENTS(units); i++)
		if (g_str_equal(unit, units[i].name))
			return scale(&decimal, units[i].ns, ns);
	return FAULT_FORM;
}

gboolean ltt_time_parse_seconds(const char *text, guint64 *time_ns)
{
	return text[0] != '\0' &&
	       (g_ascii_isdigit(text[strlen(text) - 1]) || g_str_has_suffix(text, ".")) &&
	       parse_amount(text, LTT_NS_PER_S, time_ns) == FAULT_NONE;
}

/* ---- dates and times of a day ---- */

/* Takes @n_digits digits, up to @most. Returns: FALSE if there are others */
static gboolean take_number(const char **at, guint n_digits, gint most, gint *number)
{
	*number = 0;
	for (guint i = 0; i < n_digits; i++, (*at)++) {
		if (!g_ascii_isdigit(**at))
			return FALSE;
		*number = *number * 10 + (**at - '0');
	}
	return *number <= most;
}

static gboolean take_character(const char **at, const char *allowed)
{
	if (**at == '\0' || strchr(allowed, **at) == NULL)
		return FALSE;
	(*at)++;
	return TRUE;
}

/* Takes "18:40:00" with up to nine decimals. */
static gboolean take_clock(const char **at, guint64 *ns)
{
	gint hour, minute, second;
	guint64 fraction = 0;
	guint n_decimals = 0;

	if (!take_number(at, 2, 23, &hour) || !take_character(at, ":") ||
	    !take_number(at, 2, 59, &minute) || !take_character(at, ":") ||
	    !take_number(at, 2, 59, &second))
		return FALSE;
	if (take_character(at, ".")) {
		for (; g_ascii_isdigit(**at) && n_decimals < MAX_DECIMALS; (*at)++, n_decimals++)
			fraction = fraction * 10 + (guint64)(**at - '0');
		if (n_decimals == 0)
			return FALSE;
	}
	for (; n_decimals < MAX_DECIMALS; n_decimals++)
		fraction *= 10;
	*ns = (guint64)((hour * 60 + minute) * 60 + second) * LTT_NS_PER_S + fraction;
	return TRUE;
}

/* Takes a time zone, "Z" or "+02:00", if there is one. */
static gboolean take_zone(const char **at, gboolean *has_zone, gint64 *offset_s)
{
	const char sign = **at;
	gint hours, minutes;

	*offset_s = 0;
	*has_zone = sign != '\0';
	if (!*has_zone || take_character(at, "Z"))
		return TRUE;
	if (!take_character(at, "+-") || !take_number(at, 2, 23, &hours) ||
	    !take_character(at, ":") || !take_number(at, 2, 59, &minutes))
		return FALSE;
	*offset_s = (sign == '-' ? -60 : 60) * (hours * 60 + minutes);
	return TRUE;
}

/* Parses "2003-04-10", "2003-04-10T18:40:00.5" or "2003-04-10 18:40:00.5+02:00". */
static Fault parse_date(const char *text, guint64 *time_ns)
{
	const char *at = text;
	g_autoptr(GTimeZone) zone = NULL;
	g_autoptr(GDateTime) date = NULL;
	gint year, month, day;
	guint64 clock_ns = 0;
	gint64 seconds, offset_s;
	gboolean has_zone;
	gint clock_s;

	if (!take_number(&at, 4, 9999, &year) || !take_character(&at, "-") ||
	    !take_number(&at, 2, 12, &month) || !take_character(&at, "-") ||
	    !take_number(&at, 2, 31, &day))
		return FAULT_FORM;
	if (*at != '\0' && (!take_character(&at, "T ") || !take_clock(&at, &clock_ns)))
		return FAULT_FORM;
	if (!take_zone(&at, &has_zone, &offset_s) || *at != '\0')
		return FAULT_FORM;
	clock_s = (gint)(clock_ns / LTT_NS_PER_S);
	zone = has_zone ? g_time_zone_new_utc() : ltt_zone_new_local();
	date = g_date_time_new(zone, year, month, day, clock_s / 3600, clock_s / 60 % 60,
			       clock_s % 60);
	if (date == NULL)
		return FAULT_FORM;
	seconds = g_date_time_to_unix(date) - offset_s;
	if (seconds < 0 || (guint64)seconds > LTT_MAX_TIME_NS / LTT_NS_PER_S)
		return FAULT_RANGE;
	*time_ns = (guint64)seconds * LTT_NS_PER_S + clock_ns % LTT_NS_PER_S;
	return *time_ns > LTT_MAX_TIME_NS ? FAULT_RANGE : FAULT_NONE;
}

/* ---- the whole ---- */

static gboolean fail(Fault fault, const char *text, const char *what, const char *expected,
		     GError **error)
{
	switch (fault) {
	case FAULT_RANGE:
		return ltt_fail(error, LTT_ERROR_INVALID,
				"%s \"%s\" does not fit in 63 bits as nanoseconds", what, text);
	case FAULT_TOO_FINE:
		return ltt_fail(error, LTT_ERROR_INVALID,
				"%s \"%s\" is finer than a nanosecond: expected fewer decimals",
				what, text);
	case FAULT_NO_UNIT:
		return ltt_fail(error, LTT_ERROR_INVALID,
				"\"%s\" has no unit: expected one of ns, us, ms, s, m and h, such "
				"as %ss or %sms",
				text, text, text);
	default:
		return ltt_fail(error, LTT_ERROR_INVALID, "\"%s\" is not a %s: expected %s", text,
				what, expected);
	}
}

gboolean ltt_duration_parse(const char *text, guint64 plain_ns, guint64 *ns, GError **error)
{
	const Fault fault = parse_amount(text, plain_ns, ns);

	return fault == FAULT_NONE ||
	       fail(fault, text, "duration", "a number and a unit, such as 10s, 1.5ms or 250us",
		    error);
}

gboolean ltt_time_parse(const char *text, LttTimeBase *base, guint64 *time_ns, GError **error)
{
	const gboolean has_sign = *text == '+' || *text == '-';
	const char *at = text;
	Fault fault;

	if (!has_sign && strchr(text, ':') == NULL && strchr(text, '-') == NULL) {
		*base = LTT_TIME_ABSOLUTE;
		fault = parse_amount(text, LTT_NS_PER_S, time_ns);
	} else if (has_sign) {
		*base = *text == '+' ? LTT_TIME_FROM_START : LTT_TIME_BEFORE_END;
		fault = parse_amount(text + 1, LTT_NS_PER_S, time_ns);
	} else if (take_clock(&at, time_ns) && *at == '\0') {
		*base = LTT_TIME_OF_DAY;
		fault = FAULT_NONE;
	} else {
		*base = LTT_TIME_ABSOLUTE;
		fault = parse_date(text, time_ns);
	}
	return fault == FAULT_NONE ||
	       fail(fault, text, "time",
		    "seconds with up to nine decimals, or with one of the units ns us ms s m h, "
		    "with + in front after the start, with - before the end; a date such as "
		    "2003-04-10T18:40:00.5; or HH:MM:SS",
		    error);
}
