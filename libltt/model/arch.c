/* arch.c - tables of sizes and their names (doc/format.md, 2). */
#include "model/arch-priv.h"

typedef struct SizeModel {
	const char *name;
	guint8 medium_bytes;
	guint8 long_bytes;
} SizeModel;

static const SizeModel models[LTT_N_ARCH_SIZES] = {
	[LTT_LP32] = {"LP32", 2, 4},
	[LTT_ILP32] = {"ILP32", 4, 4},
	[LTT_LP64] = {"LP64", 4, 8},
	[LTT_ILP64] = {"ILP64", 8, 8},
};

static const struct {
	LttWidth width;
	const char *name;
} widths[] = {
	{LTT_WIDTH_1, "1"},       {LTT_WIDTH_2, "2"},         {LTT_WIDTH_4, "4"},
	{LTT_WIDTH_8, "8"},       {LTT_WIDTH_SHORT, "short"}, {LTT_WIDTH_MEDIUM, "medium"},
	{LTT_WIDTH_LONG, "long"},
};

guint ltt_arch_integer_bytes(const LttArch *arch, LttWidth width)
{
	switch (width) {
	case LTT_WIDTH_SHORT:
		return 2;
	case LTT_WIDTH_MEDIUM:
		return models[arch->size].medium_bytes;
	case LTT_WIDTH_LONG:
		return models[arch->size].long_bytes;
	default:
		return width;
	}
}

guint ltt_arch_float_bytes(LttWidth width)
{
	return width == LTT_WIDTH_4 || width == LTT_WIDTH_MEDIUM ? 4 : 8;
}

LttArch ltt_arch_native(void)
{
	const gsize medium = sizeof(int);
	const gsize long_ = sizeof(long);
	LttArch arch = {.byte_order = LTT_NATIVE_ENDIAN, .size = LTT_LP64};

	for (guint i = 0; i < LTT_N_ARCH_SIZES; i++) {
		if (models[i].medium_bytes == medium && models[i].long_bytes == long_)
			arch.size = (LttArchSize)i;
	}
	return arch;
}

const char *ltt_arch_size_name(LttArchSize size)
{
	return models[size].name;
}

const char *ltt_byte_order_name(LttByteOrder order)
{
	return order == LTT_BIG_ENDIAN ? "big" : "little";
}

gboolean ltt_arch_size_from_name(const char *name, LttArchSize *out)
{
	for (guint i = 0; i < LTT_N_ARCH_SIZES; i++) {
		if (g_ascii_strcasecmp(name, models[i].name) == 0) {
			*out = (LttArchSize)i;
			return TRUE;
		}
	}
	return FALSE;
}

gboolean ltt_byte_order_from_name(const char *name, LttByteOrder *out)
{
	if (g_ascii_strcasecmp(name, "little") == 0 ||
	    g_ascii_strcasecmp(name, "LITTLE_ENDIAN") == 0)
		*out = LTT_LITTLE_ENDIAN;
	else if (g_ascii_strcasecmp(name, "big") == 0 ||
		 g_ascii_strcasecmp(name, "BIG_ENDIAN") == 0)
		*out = LTT_BIG_ENDIAN;
	else
		return FALSE;
	return TRUE;
}

const char *ltt_width_name(LttWidth width)
{
	for (guint i = 0; i < G_N_ELEMENTS(widths); i++) {
		if (widths[i].width == width)
			return widths[i].name;
	}
	return "none";
}

gboolean ltt_width_from_name(const char *name, LttWidth *out)
{
	for (guint i = 0; i < G_N_ELEMENTS(widths); i++) {
		if (g_ascii_strcasecmp(name, widths[i].name) == 0) {
			*out = widths[i].width;
			return TRUE;
		}
	}
	return FALSE;
}
