/* Descriptions, labels and formats that try to be more than text. */
#include "texts.h"

int main(void)
{
	const struct texts_t t = {1};

	trace_texts_e(&t, 2, texts_e_z_____2, "s");
	return 0;
}
