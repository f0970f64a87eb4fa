/* object-priv.h - the functions of a file with code.
 *
 * The file is read once, into a table by address. A file is untrusted: one that is no regular file is
 * not opened, and the table has only what elfutils accepts.
 */
#ifndef LTT_SYMBOLS_OBJECT_PRIV_H
#define LTT_SYMBOLS_OBJECT_PRIV_H

#ifndef LTT_BUILDING
#error "symbols/object-priv.h is private to libltt; use <ltt/ltt-symbols.h>"
#endif

#include <ltt/ltt-stack.h>

typedef struct LttObject LttObject;

/* Returns: (transfer full): the functions of the file of @module, if it has the recorded build id */
LttObject *ltt_object_new(const LttModule *module);
void ltt_object_free(LttObject *object); /* NULL is allowed and ignored */

/* Why the functions of a module are not known. */
typedef enum LttObjectState {
	LTT_OBJECT_READ,
	LTT_OBJECT_NO_FILE,
	LTT_OBJECT_UNREADABLE,
	LTT_OBJECT_OTHER, /* its build id differs */
} LttObjectState;

LttObjectState ltt_object_get_state(const LttObject *object);

/* @offset: in the file. @distance: (out): from the begin of the function
 * Returns: (nullable): the name of the function, as in the source; valid as long as @object */
const char *ltt_object_find(LttObject *object, guint64 offset, guint64 *distance);

#endif
