/* Values that the description has no room for are lost; those just below are not. */
#include "lost.h"

static uint8_t zeros[0x10000];

int main(void)
{
	static const char *words[0x10000];
	static enum lost_inner_in_list letters[256];
	struct lost_choice_value choice;
	struct lost_inner_in in;

	trace_lost_bytes(0, zeros);
	trace_lost_bytes(256, zeros);
	trace_lost_words(0x10000, words);
	trace_lost_medium(0x100000000, zeros);
	choice.code = 1;
	choice.u.b = 0x22;
	trace_lost_choice(&choice);
	choice.code = 2;
	trace_lost_choice(&choice);
	trace_lost_nothings(4096, NULL, 585, NULL);
	trace_lost_nothings(4097, NULL, 0, NULL);
	trace_lost_nothings(0, NULL, 586, NULL);
	in.list.length = 1;
	in.list.items = letters;
	trace_lost_inner(&in);
	in.list.length = 256;
	trace_lost_inner(&in);
	return 0;
}
