/* ltt-offline.h - write and read events as C structs, with code from `ltt compile --offline`.
 *
 * For a facility `disk`, `ltt compile --offline disk.h disk.xml` generates, for each event type E,
 *
 *	struct disk_E                  the fields of the event, with their names
 *	disk_E_index                   its index: the event id is the base code plus this
 *	write_disk_E(payload, &event)  makes the payload, in the byte order and sizes of a trace
 *	read_disk_E(reader, event, &out, &error)   fills the struct from an event of a trace
 *
 * (doc/offline.md). The generated code calls the functions of this header. Programs call those of
 * LttOfflineReader:
 *
 *	LttOfflineReader *reader = ltt_offline_reader_new(&ltt_offline_disk);
 *	struct disk_read read;
 *
 *	while (ltt_merge_next(merge, &event, &error) == LTT_STEP_EVENT)
 *		if (ltt_offline_reader_find(reader, event) == disk_read_index &&
 *		    read_disk_read(reader, event, &read, &error))
 *			total += read.bytes;
 */
#ifndef LTT_OFFLINE_H
#define LTT_OFFLINE_H

#include <ltt/ltt-event.h>
#include <ltt/ltt-payload.h>

#include <stddef.h>
#include <stdint.h>
#include <string.h>

G_BEGIN_DECLS

/* ---- tables in the generated code ---- */

/* A value in a struct: a payload, a member of a struct or union, or an element. */
typedef struct LttOfflineNode {
	const char *name;   /* of a member; else NULL */
	gsize offset_bytes; /* of a member in its struct */
	gsize size_bytes;   /* in memory */
	guint64 n_elements; /* of an array */
	guint32 first;      /* index of its first member, or of its element */
	guint32 n_members;  /* of a struct or union */
	guint8 kind;        /* LttTypeKind */
	guint8 is_signed;   /* number: its C type is */
	guint8 code_bytes;  /* union: size of `code` in memory */
} LttOfflineNode;

typedef struct LttOfflineEvent {
	const char *name;
	guint32 node; /* index of its payload; 0: it has none */
} LttOfflineEvent;

/* `ltt_offline_FACILITY` in generated code. */
typedef struct LttOfflineFacility {
	const char *name;
	guint32 checksum;
	guint32 n_events;
	const LttOfflineEvent *events;
	const LttOfflineNode *nodes;
} LttOfflineFacility;

/* Every sequence in generated code has these members; items points to the type of its elements. */
typedef struct LttOfflineSequence {
	gsize length;
	gconstpointer items;
} LttOfflineSequence;

/* ---- reading ---- */

/* Fills structs of one facility from the events of a trace. It finds fields by their names, so the
 * trace may have another version of the facility: with fields more or fewer, in another order, or
 * with numbers of other sizes. The first event of a type costs the comparison of the two versions;
 * further events are decoded without it. For use in one thread. */
typedef struct LttOfflineReader LttOfflineReader;

/**
 * ltt_offline_reader_new:
 * @facility: (transfer none): `ltt_offline_FACILITY`
 *
 * Returns: (transfer full): a reader for the events of one trace, or of traces that are open at the
 *   same time; must be freed before they are
 */
LttOfflineReader *ltt_offline_reader_new(const LttOfflineFacility *facility);
void ltt_offline_reader_free(LttOfflineReader *reader); /* NULL is allowed and ignored */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LttOfflineReader, ltt_offline_reader_free)

#define LTT_OFFLINE_UNKNOWN G_MAXUINT

/* Returns: the index of the event of this name in the facility that the code was generated for, to
 *   be compared with FACILITY_EVENT_index; LTT_OFFLINE_UNKNOWN: the event is of another facility or
 *   a type that the facility does not have */
guint ltt_offline_reader_find(LttOfflineReader *reader, const LttEvent *event);

/**
 * ltt_offline_reader_read:
 * @index: FACILITY_EVENT_index
 * @out: (out): the struct of that event. Strings, and sequences of bytes, point into the event;
 *   other sequences into the reader, until it reads the next event
 *
 * What read_FACILITY_EVENT() calls.
 *
 * Returns: FALSE with the place of the event in the message and
 *   LTT_ERROR_UNSUPPORTED  the event lacks a field, or has it with another kind of type (the
 *                          message names the first one), or a union holds an unknown member. The
 *                          other fields are set, these are 0: a caller that can do without them may
 *                          ignore this error
 *   LTT_ERROR_INVALID      @event is not of type @index, or a number does not fit its member
 *   LTT_ERROR_LIMIT        no memory for a sequence
 */
gboolean ltt_offline_reader_read(LttOfflineReader *reader, const LttEvent *event, guint index,
				 gpointer out, GError **error);

/* ---- writing: inline parts of write_FACILITY_EVENT() ---- */

static inline void ltt_offline_store_1(guint8 *at, guint8 value)
{
	*at = value;
}

static inline void ltt_offline_store_2(guint8 *at, guint16 value, LttByteOrder order)
{
	value = order == LTT_NATIVE_ENDIAN ? value : GUINT16_SWAP_LE_BE(value);
	memcpy(at, &value, sizeof(value));
}

static inline void ltt_offline_store_4(guint8 *at, guint32 value, LttByteOrder order)
{
	value = order == LTT_NATIVE_ENDIAN ? value : GUINT32_SWAP_LE_BE(value);
	memcpy(at, &value, sizeof(value));
}

static inline void ltt_offline_store_8(guint8 *at, guint64 value, LttByteOrder order)
{
	value = order == LTT_NATIVE_ENDIAN ? value : GUINT64_SWAP_LE_BE(value);
	memcpy(at, &value, sizeof(value));
}

static inline void ltt_offline_store_float(guint8 *at, float value, LttByteOrder order)
{
	guint32 bits;

	memcpy(&bits, &value, sizeof(bits));
	ltt_offline_store_4(at, bits, order);
}

static inline void ltt_offline_store_double(guint8 *at, double value, LttByteOrder order)
{
	guint64 bits;

	memcpy(&bits, &value, sizeof(bits));
	ltt_offline_store_8(at, bits, order);
}

/* Returns: whether an unsigned number fits an integer of @width */
static inline gboolean ltt_offline_fits(const LttPayload *payload, LttWidth width, guint64 value)
{
	const guint bytes = ltt_arch_integer_bytes(&payload->arch, width);

	return bytes == sizeof(value) || value >> (bytes * 8) == 0;
}

G_END_DECLS

#endif /* LTT_OFFLINE_H */
