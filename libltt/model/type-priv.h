/* type-priv.h - the struct of a type, for the files that build and seal descriptions. */
#ifndef LTT_TYPE_PRIV_H
#define LTT_TYPE_PRIV_H

#ifndef LTT_BUILDING
#error "type-priv.h is private to libltt; use <ltt/ltt-type.h>"
#endif

#include <ltt/ltt-type.h>

struct LttType {
	gatomicrefcount refs;
	LttTypeKind kind;
	LttWidth width;
	guint line;
	char *format;          /* NULL: none */
	guint64 n_elements;    /* array */
	LttType *element;      /* array, sequence */
	GArray *fields;        /* of LttField: struct, union */
	GArray *labels;        /* of LttLabel: enum */
	char *ref_name;        /* typeref */
	const LttType *target; /* typeref: the named type, once the facility is sealed; borrowed
				  from the facility */
};

/* Sets the line of the type in the description, for messages; 0: unknown. */
void ltt_type_set_line(LttType *type, guint line);

#endif
