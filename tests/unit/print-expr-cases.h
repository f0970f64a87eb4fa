/* print-expr-cases.h - an event type for print expressions, for the tests and the fuzzer. */
#ifndef PRINT_EXPR_CASES_H
#define PRINT_EXPR_CASES_H

#include <ltt/ltt-facility.h>

/* The fields, in this order: a number of each size and sign, text, arrays of fixed and variable
 * length, and a number after those. */
static inline LttFacility *print_expr_facility(void)
{
	LttFacility *facility = ltt_facility_new("f");
	LttType *type = ltt_type_new_struct();

	ltt_type_add_field(type, "u8", NULL, ltt_type_new_uint(LTT_WIDTH_1));
	ltt_type_add_field(type, "s16", NULL, ltt_type_new_int(LTT_WIDTH_2));
	ltt_type_add_field(type, "s32", NULL, ltt_type_new_int(LTT_WIDTH_4));
	ltt_type_add_field(type, "u32", NULL, ltt_type_new_uint(LTT_WIDTH_4));
	ltt_type_add_field(type, "u64", NULL, ltt_type_new_uint(LTT_WIDTH_8));
	ltt_type_add_field(type, "ip4", NULL,
			   ltt_type_new_array(4, ltt_type_new_uint(LTT_WIDTH_1)));
	ltt_type_add_field(type, "comm", NULL, ltt_type_new_string());
	ltt_type_add_field(type, "items", NULL,
			   ltt_type_new_sequence(LTT_WIDTH_4, ltt_type_new_uint(LTT_WIDTH_2)));
	ltt_type_add_field(type, "last", NULL, ltt_type_new_uint(LTT_WIDTH_4));
	ltt_facility_add_event(facility, "e", NULL, type);
	return facility;
}

#endif
