/* The same program as C++. */
#include "demo.c"
