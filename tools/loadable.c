/* loadable.c - see loadable.h.
 *
 * The dynamic linker preloads no library into a program that runs with the privileges of another
 * user, and a static program has no dynamic linker.
 */
#include "loadable.h"

#include <elf.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

/* Interpreters of interpreters that are followed, as in Linux. */
#define MAX_SCRIPTS 4

/* The start of a file, with a NUL after it. */
typedef struct Head {
	char bytes[4096];
	gsize length;
} Head;

static gboolean read_head(const char *path, Head *head, struct stat *status)
{
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = -1;

	if (fd < 0)
		return FALSE;
	if (fstat(fd, status) == 0 && S_ISREG(status->st_mode))
		n = pread(fd, head->bytes, sizeof(head->bytes) - 1, 0);
	close(fd);
	head->length = n > 0 ? (gsize)n : 0;
	head->bytes[head->length] = '\0';
	return n > 0;
}

/* Returns: (transfer full) (nullable): the interpreter of a script; NULL: it is none */
static char *find_interpreter(const Head *head)
{
	const char *start = head->bytes + 2;

	if (!g_str_has_prefix(head->bytes, "#!"))
		return NULL;
	start += strspn(start, " \t");
	return g_strndup(start, strcspn(start, " \t\n"));
}

static gboolean has_other_rights(const char *path, const struct stat *status)
{
	return ((status->st_mode & S_ISUID) != 0 && status->st_uid != getuid()) ||
	       ((status->st_mode & S_ISGID) != 0 && status->st_gid != getgid()) ||
	       (getuid() != 0 && getxattr(path, "security.capability", NULL, 0) > 0);
}

/* Returns: (nullable): the path of the dynamic linker that an ELF file of this machine names */
static const char *find_linker(const Head *head, const Elf64_Ehdr *elf)
{
	for (guint i = 0; i < elf->e_phnum; i++) {
		const guint64 at = elf->e_phoff + (guint64)i * sizeof(Elf64_Phdr);
		Elf64_Phdr segment;

		if (at + sizeof(segment) > head->length)
			break;
		memcpy(&segment, head->bytes + at, sizeof(segment));
		if (segment.p_type == PT_INTERP && segment.p_offset < head->length)
			return head->bytes + segment.p_offset;
	}
	return NULL;
}

static const char *why_not_elf(const Head *head)
{
	Elf64_Ehdr own;
	Elf64_Ehdr elf;
	Head self;
	struct stat status;
	const char *linker;

	if (!read_head("/proc/self/exe", &self, &status) || self.length < sizeof(own))
		return NULL;
	memcpy(&own, self.bytes, sizeof(own));
	memcpy(&elf, head->bytes, sizeof(elf));
	if (elf.e_ident[EI_CLASS] != own.e_ident[EI_CLASS] || elf.e_machine != own.e_machine)
		return "is for another architecture";
	if (elf.e_ident[EI_CLASS] != ELFCLASS64 || elf.e_phentsize != sizeof(Elf64_Phdr))
		return NULL;
	linker = find_linker(head, &elf);
	if (linker == NULL)
		return "is statically linked";
	return strstr(linker, "ld-musl") != NULL ? "uses the C library musl; expected glibc" : NULL;
}

static const char *why_not_file(const char *path, guint n_scripts)
{
	g_autofree char *interpreter = NULL;
	struct stat status;
	Head head;

	if (!read_head(path, &head, &status))
		return NULL;
	interpreter = find_interpreter(&head);
	if (interpreter != NULL)
		return n_scripts < MAX_SCRIPTS ? why_not_file(interpreter, n_scripts + 1) : NULL;
	if (head.length < sizeof(Elf64_Ehdr) || memcmp(head.bytes, ELFMAG, SELFMAG) != 0)
		return NULL;
	if (has_other_rights(path, &status))
		return "runs with the rights of another user (set-user-ID, or with capabilities)";
	return why_not_elf(&head);
}

const char *loadable_why_not(const char *program)
{
	g_autofree char *path = g_find_program_in_path(program);

	return path != NULL ? why_not_file(path, 0) : NULL;
}
