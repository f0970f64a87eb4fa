/* The same program by the rules of C++. */
#include "demo.c"
