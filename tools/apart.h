/* apart.h - commands that are programs of their own. */
#ifndef APART_H
#define APART_H

/* Returns: (transfer full): the path of a file of this project that is not for users */
char *apart_find(const char *name);

/* Executes the program of a command. @argv: arguments of the command, ended by NULL; argv[0] is its
 * name. Returns only on failure, after a message: the exit status */
int apart_run(const char *command, int argc, char **argv);

#endif
