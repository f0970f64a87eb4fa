/* build-id.c - see build-id.h.
 *
 * The kernel copies the memory, so that a page that is not mapped is an error and not a signal.
 */
#define _GNU_SOURCE
#include "build-id.h"

#include <elf.h>
#include <link.h>
#include <stdbool.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum { MOST_HEADERS = 64, MOST_NOTE_BYTES = 4096 };

static bool copy(uint64_t from, void *to, size_t size)
{
	const struct iovec local = {to, size}, remote = {(void *)(uintptr_t)from, size};

	return syscall(SYS_process_vm_readv, syscall(SYS_getpid), &local, 1, &remote, 1, 0) ==
	       (long)size;
}

static uint64_t align_4(uint64_t size)
{
	return (size + 3) & ~(uint64_t)3;
}

/* Looks for the build id among the notes of a segment. */
static size_t find_in_notes(uint64_t at, uint64_t size, uint8_t id[BUILD_ID_MAX])
{
	const uint64_t end = at + size;
	ElfW(Nhdr) note;
	char name[4];

	while (at + sizeof(note) <= end && copy(at, &note, sizeof(note))) {
		const uint64_t name_at = at + sizeof(note);
		const uint64_t id_at = name_at + align_4(note.n_namesz);

		if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == sizeof(name) &&
		    note.n_descsz <= BUILD_ID_MAX && copy(name_at, name, sizeof(name)) &&
		    memcmp(name, ELF_NOTE_GNU, sizeof(name)) == 0 && copy(id_at, id, note.n_descsz))
			return note.n_descsz;
		at = id_at + align_4(note.n_descsz);
	}
	return 0;
}

size_t build_id_read(uint64_t file, uint8_t id[BUILD_ID_MAX])
{
	ElfW(Ehdr) header;
	ElfW(Phdr) segment;
	size_t length = 0;

	if (!copy(file, &header, sizeof(header)) || memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
	    header.e_phentsize != sizeof(segment) || header.e_phnum > MOST_HEADERS)
		return 0;
	for (unsigned i = 0; length == 0 && i < header.e_phnum; i++) {
		if (copy(file + header.e_phoff + i * sizeof(segment), &segment, sizeof(segment)) &&
		    segment.p_type == PT_NOTE && segment.p_filesz <= MOST_NOTE_BYTES)
			length = find_in_notes(file + segment.p_offset, segment.p_filesz, id);
	}
	return length;
}
