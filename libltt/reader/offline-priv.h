/* offline-priv.h - plans that decode the values of a trace into structs of generated code.
 *
 * A plan pairs a layout of the trace with a node of the generated tables. Its parts are in the order
 * of the trace, so an event is decoded in one pass over its payload:
 *
 *	layout of the trace     plan       struct of the generated code
 *	    name  ------------- part ------> name
 *	    colour              NULL         pid   (missing)
 *	    points ------------ part ------> points
 *	       element -------- part ------>    items[]
 *
 * Descriptions share types, so plans are shared, too: there is one for each pair that occurs.
 */
#ifndef LTT_READER_OFFLINE_PRIV_H
#define LTT_READER_OFFLINE_PRIV_H

#ifndef LTT_BUILDING
#error "reader/offline-priv.h is private to libltt; use <ltt/ltt-offline.h>"
#endif

#include <ltt/ltt-offline.h>

typedef struct LttPlan LttPlan;

struct LttPlan {
	const LttLayout *layout;
	const LttOfflineNode *node;
	LttPlan **parts;  /* for each member of the layout (NULL: skip it), or for the element */
	guint32 *codes;   /* union: code in memory for each member of the layout */
	gboolean is_same; /* number: its size and sign are those in memory */
	char *missing;    /* path of the first field that the layout lacks; NULL: none */
};

/* Plans for the structs of one facility. */
typedef struct LttPlans {
	const LttOfflineNode *nodes;
	GHashTable *all; /* LttPlan -> itself, owned; found by layout and node */
} LttPlans;

void ltt_plans_init(LttPlans *plans, const LttOfflineNode *nodes);
void ltt_plans_clear(LttPlans *plans);

/* Returns: (transfer none) (nullable): NULL: values of @layout cannot be stored in @node */
LttPlan *ltt_plans_get(LttPlans *plans, const LttLayout *layout, const LttOfflineNode *node);

static inline gboolean ltt_offline_is_integer(guint kind)
{
	return kind == LTT_INT || kind == LTT_UINT || kind == LTT_ENUM;
}

/* The problems of decoding an event. */
typedef enum LttUnfit {
	LTT_UNFIT_NOTHING,
	LTT_UNFIT_NUMBER, /* the value does not fit its member */
	LTT_UNFIT_UNION,  /* the union holds an unknown member */
	LTT_UNFIT_MEMORY, /* no memory for a sequence */
	LTT_UNFIT_FIELD,  /* a field is missing in the member that a union holds */
} LttUnfit;

typedef struct LttDecode {
	LttByteOrder byte_order;
	const guint8 *end; /* of the payload */
	GPtrArray *memory; /* of the elements of sequences */
	LttUnfit unfit;    /* the first one */
	const char *name;  /* path of the member with the problem */
} LttDecode;

/* Decodes a measured payload into the zeroed struct @out. A value that does not fit stays 0. */
void ltt_decode_struct(LttDecode *decode, const LttPlan *plan, const guint8 *payload, gpointer out);

#endif
