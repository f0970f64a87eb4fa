/* Values that take no bytes, alone and among others: they must not show in the bytes, though they
 * have a size in memory. */
#include "empty.h"

int main(void)
{
	struct empty_nothing e;
	struct empty_values_a a[4];
	struct empty_among_holder holder;
	struct empty_among_holders holders[2];

	memset(&e, 0xee, sizeof(e));
	memset(a, 0xee, sizeof(a));
	memset(&holder, 0xee, sizeof(holder));
	memset(holders, 0xee, sizeof(holders));
	holder.before = 2;
	holder.after = 3;
	holders[0].z = 5;
	holders[1].z = 6;
	trace_empty_payload();
	trace_empty_values(&e, NULL, a);
	trace_empty_among(1, &e, &holder, 4, holders);
	trace_empty_strings("s", &e, 2, &e, NULL);
	return 0;
}
