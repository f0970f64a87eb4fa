/* instrumented.c - a program that is compiled with -finstrument-functions. */
#include <stdio.h>

int inner(int number);
int outer(int number);

int __attribute__((noinline)) inner(int number)
{
	return number + 1;
}

int __attribute__((noinline)) outer(int number)
{
	for (int i = 0; i < 10; i++)
		number = inner(number);
	return number;
}

int main(void)
{
	printf("%d\n", outer(0) + outer(0));
	return 0;
}
