/* random-values.h - random values of random types, as bytes and as C initializers. */
#ifndef RANDOM_VALUES_H
#define RANDOM_VALUES_H

#include "expected-trace.h"

#define CALLS_OF_EACH_EVENT 4

typedef struct Maker {
	GRand *random;
	const LttFacility *facility;
	LttPayload payload;
	GString *statics; /* definitions of the variables that the calls use */
	GString *calls;
	GString *expected;
	ExpectedTrace trace;
	guint n_statics;
	gboolean is_offline; /* the C types are those of `ltt compile --offline` */
} Maker;

/* A type, and the prefix for the names of its parts. Path is owned. */
typedef struct Place {
	const LttType *type; /* not a typeref */
	char *path;
} Place;

/* Initializes everything but facility and trace. */
void maker_init(Maker *maker, guint32 seed, const LttArch *arch);
void maker_clear(Maker *maker);

/* Returns: @type, or the type that the typeref refers to, with its own path */
Place place_of(const Maker *maker, const LttType *type, const char *path);
Place field_of(const Maker *maker, const Place *place, guint index);

/* Defines a variable, an array of @count elements if @count is not 0. Returns: (transfer full): its
 * name */
char *define(Maker *maker, const Place *place, guint64 count, const char *value);

/* Adds a random value to the payload. Return: (transfer full): its initializer; for a sequence,
 * "LENGTH, ITEMS" */
char *make_value(Maker *maker, const Place *place);
char *make_sequence(Maker *maker, const Place *place);

/* Adds the payload as an event to the trace, and its bytes to the expected output. */
void expect_event(Maker *maker, const LttEventType *event);

void write_file(const char *folder, const char *name, const char *text);

#endif
