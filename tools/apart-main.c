/* apart-main.c - the program of a command that `ltt` executes (apart.c). APART_COMMAND: its name. */
#include "commands.h"
#include "tool.h"

#define TEXT_OF(name)  #name
#define NAME_OF(name)  TEXT_OF(name)
#define JOIN(a, b)     a##b
#define FUNCTION(name) JOIN(cmd_, name)

int main(int argc, char **argv)
{
	tool_start(NAME_OF(APART_COMMAND));
	return FUNCTION(APART_COMMAND)(argc, argv);
}
