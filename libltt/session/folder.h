/* folder.h - the files of a folder, one after the other. */
#ifndef LTTP_FOLDER_H
#define LTTP_FOLDER_H

/* Calls @visit for each entry of the folder @path in the directory @parent, but "." and "..", until
 * it returns something else than 0. Returns that; or -errno if the folder cannot be read. */
int lttp_folder_each(int parent, const char *path,
		     int (*visit)(int folder, const char *name, void *data), void *data);

#endif /* LTTP_FOLDER_H */
