/* Payloads: the bytes of values in each byte order and architecture size. */
#include "support-trace.h"
#include "unit.h"

#include <ltt/ltt-payload.h>

/* One value of each symbolic width, -2 as short, medium and long, then 1.5 and -2.0. */
static void test_widths_of_every_architecture(void)
{
	static const char *const payloads[2][LTT_N_ARCH_SIZES] = {
		[LTT_LITTLE_ENDIAN] =
			{
				[LTT_LP32] = "fe ff  fe ff  fe ff ff ff",
				[LTT_ILP32] = "fe ff  fe ff ff ff  fe ff ff ff",
				[LTT_LP64] = "fe ff  fe ff ff ff  fe ff*7",
				[LTT_ILP64] = "fe ff  fe ff*7  fe ff*7",
			},
		[LTT_BIG_ENDIAN] =
			{
				[LTT_LP32] = "ff fe  ff fe  ff ff ff fe",
				[LTT_ILP32] = "ff fe  ff ff ff fe  ff ff ff fe",
				[LTT_LP64] = "ff fe  ff ff ff fe  ff*7 fe",
				[LTT_ILP64] = "ff fe  ff*7 fe  ff*7 fe",
			},
	};
	static const char *const floats[2] = {
		[LTT_LITTLE_ENDIAN] = "00 00 c0 3f  00*7 c0",
		[LTT_BIG_ENDIAN] = "3f c0 00 00  c0 00*7",
	};
	static const LttWidth widths[] = {LTT_WIDTH_SHORT, LTT_WIDTH_MEDIUM, LTT_WIDTH_LONG};
	static const guint64 minus_two = (guint64)-2;

	for (guint order = 0; order < 2; order++) {
		for (guint size = 0; size < LTT_N_ARCH_SIZES; size++) {
			const LttArch arch = {(LttByteOrder)order, (LttArchSize)size};
			g_autofree char *expected =
				g_strconcat(payloads[order][size], " ", floats[order],
					    " 68 69 00  00  80  07 09", NULL);
			g_auto(LttPayload) payload;

			ltt_payload_init(&payload, &arch);
			for (guint i = 0; i < G_N_ELEMENTS(widths); i++)
				ltt_payload_add_int(&payload, widths[i], minus_two);
			ltt_payload_add_float(&payload, LTT_WIDTH_MEDIUM, 1.5);
			ltt_payload_add_float(&payload, LTT_WIDTH_LONG, -2.0);
			ltt_payload_add_string(&payload, "hi");
			ltt_payload_add_string(&payload, NULL);
			ltt_payload_add_int(&payload, LTT_WIDTH_1, 0x180);
			ltt_payload_add_bytes(&payload, "\x07\x09", 2);
			ltt_payload_add_bytes(&payload, NULL, 0);
			UNIT_ASSERT_BYTES(payload.bytes, expected);
			ltt_payload_reset(&payload);
			CU_ASSERT_EQUAL(payload.bytes->len, 0);
		}
	}
}

UNIT_MAIN("payload", UNIT(test_widths_of_every_architecture))
