/* object-priv.h - the functions of a file with code.
 *
 * Each file is read once, even if a trace has several names for it, into a table by address. Files are
 * untrusted: only regular ones are opened, a table has only what elfutils accepts, and the tables of all
 * files together have a limit.
 */
#ifndef LTT_SYMBOLS_OBJECT_PRIV_H
#define LTT_SYMBOLS_OBJECT_PRIV_H

#ifndef LTT_BUILDING
#error "symbols/object-priv.h is private to libltt; use <ltt/ltt-symbols.h>"
#endif

#include <ltt/ltt-stack.h>

typedef struct LttObject LttObject;
typedef struct LttObjects LttObjects; /* of a trace */

LttObjects *ltt_objects_new(void);
void ltt_objects_free(LttObjects *objects);

/* Why the functions of a module are not known. */
typedef enum LttObjectState {
	LTT_OBJECT_READ,
	LTT_OBJECT_NO_FILE,
	LTT_OBJECT_UNREADABLE,
	LTT_OBJECT_OTHER, /* its build id differs */
} LttObjectState;

/* Reads the file of @module, if it has the recorded build id.
 * @object: (out) (transfer none) (nullable): its functions; NULL if they are not known */
LttObjectState ltt_objects_get(LttObjects *objects, const LttModule *module, LttObject **object);

/* @offset: in the file. @distance: (out): from the begin of the function
 * Returns: (nullable): the name of the function, as in the source; valid as long as the objects */
const char *ltt_object_find(LttObject *object, guint64 offset, guint64 *distance);

#endif
