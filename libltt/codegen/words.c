/* words.c - identifiers that generated code cannot use as names.
 *
 * The lists are sorted for binary search. They contain object-like macros only, which are replaced
 * wherever the name occurs, and of these the ones that are plausible names of fields. Function-like
 * macros (minor, assert) are replaced only before a parenthesis, which never follows a field.
 */
#include "codegen/words-priv.h"

#include <stdlib.h>
#include <string.h>

/* C up to C23, C++ up to C++23, and what GNU C adds without underscores. */
static const char *const keywords[] = {
	"alignas",
	"alignof",
	"and",
	"and_eq",
	"asm",
	"auto",
	"bitand",
	"bitor",
	"bool",
	"break",
	"case",
	"catch",
	"char",
	"char16_t",
	"char32_t",
	"char8_t",
	"class",
	"co_await",
	"co_return",
	"co_yield",
	"compl",
	"concept",
	"const",
	"const_cast",
	"consteval",
	"constexpr",
	"constinit",
	"continue",
	"decltype",
	"default",
	"delete",
	"do",
	"double",
	"dynamic_cast",
	"else",
	"enum",
	"explicit",
	"export",
	"extern",
	"false",
	"float",
	"for",
	"friend",
	"goto",
	"if",
	"inline",
	"int",
	"long",
	"mutable",
	"namespace",
	"new",
	"noexcept",
	"not",
	"not_eq",
	"nullptr",
	"operator",
	"or",
	"or_eq",
	"private",
	"protected",
	"public",
	"register",
	"reinterpret_cast",
	"requires",
	"restrict",
	"return",
	"short",
	"signed",
	"sizeof",
	"static",
	"static_assert",
	"static_cast",
	"struct",
	"switch",
	"template",
	"this",
	"thread_local",
	"throw",
	"true",
	"try",
	"typedef",
	"typeid",
	"typename",
	"typeof",
	"typeof_unqual",
	"union",
	"unsigned",
	"using",
	"virtual",
	"void",
	"volatile",
	"wchar_t",
	"while",
	"xor",
	"xor_eq",
};

/* Types and functions that generated code uses, further types that C++ would confuse with the tag
 * of a struct, and macros. */
static const char *const library[] = {
	"EOF",       "I",           "NULL",         "PPC",        "blkcnt_t",     "blksize_t",
	"clock_t",   "clockid_t",   "complex",      "dev_t",      "div_t",        "errno",
	"fpos_t",    "gid_t",       "h_addr",       "hpux",       "i386",         "id_t",
	"imaginary", "ino_t",       "int16_t",      "int32_t",    "int64_t",      "int8_t",
	"intmax_t",  "intptr_t",    "key_t",        "ldiv_t",     "linux",        "lldiv_t",
	"locale_t",  "m68k",        "max_align_t",  "mbstate_t",  "memcpy",       "mips",
	"mode_t",    "nlink_t",     "noreturn",     "nullptr_t",  "off_t",        "pid_t",
	"ptrdiff_t", "regex_t",     "rlim_t",       "s6_addr",    "sa_handler",   "sa_sigaction",
	"si_addr",   "si_addr_lsb", "si_arch",      "si_band",    "si_call_addr", "si_fd",
	"si_int",    "si_lower",    "si_overrun",   "si_pid",     "si_pkey",      "si_ptr",
	"si_status", "si_stime",    "si_syscall",   "si_timerid", "si_uid",       "si_upper",
	"si_utime",  "si_value",    "sig_atomic_t", "sigset_t",   "size_t",       "socklen_t",
	"sparc",     "ssize_t",     "st_atime",     "st_ctime",   "st_mtime",     "stack_t",
	"stderr",    "stdin",       "stdout",       "sun",        "suseconds_t",  "sv_onstack",
	"time_t",    "timer_t",     "uid_t",        "uint16_t",   "uint32_t",     "uint64_t",
	"uint8_t",   "uintmax_t",   "uintptr_t",    "unix",       "ut_addr",      "ut_name",
	"ut_time",   "ut_xtime",    "va_list",      "vax",        "wint_t",
};

/* Prefixes of names that belong to the probe. */
static const char *const probe_prefixes[] = {
	"ltt_probe",
	"LTT_PROBE",
};

static int compare(const void *name, const void *word)
{
	return strcmp(name, *(const char *const *)word);
}

static gboolean stands_in(const char *name, const char *const *words, gsize n_words)
{
	return bsearch(name, words, n_words, sizeof(words[0]), compare) != NULL;
}

/* "__x" and "_X" are reserved for the compiler, which defines some as macros ("__linux"). */
static gboolean is_compilers(const char *name)
{
	return name[0] == '_' && (name[1] == '_' || g_ascii_isupper(name[1]));
}

gboolean ltt_word_is_reserved(const char *name)
{
	for (guint i = 0; i < G_N_ELEMENTS(probe_prefixes); i++) {
		if (g_str_has_prefix(name, probe_prefixes[i]))
			return TRUE;
	}
	return is_compilers(name) || stands_in(name, keywords, G_N_ELEMENTS(keywords)) ||
	       stands_in(name, library, G_N_ELEMENTS(library));
}

gboolean ltt_word_is_reserved_inside(const char *name)
{
	return ltt_word_is_reserved(name) || g_str_has_prefix(name, "ltt_") ||
	       g_str_has_prefix(name, "LTT_");
}

gboolean ltt_word_is_macro_of_glib(const char *name)
{
	return g_str_equal(name, "TRUE") || g_str_equal(name, "FALSE") ||
	       g_str_has_prefix(name, "G_") || g_str_has_prefix(name, "GLIB_");
}
