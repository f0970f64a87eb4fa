/* system-local.c - describe the machine that the library runs on. */
#define _GNU_SOURCE /* domainname in struct utsname */

#include <ltt/ltt-system.h>

#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

/* Returns: the part of the node name after the first dot, else the domain name set in the kernel.
 *   Does not use the resolver, as `hostname --domain` does, because that may wait for a network */
static const char *domain_name(const struct utsname *name)
{
	const char *point = strchr(name->nodename, '.');

	if (point != NULL)
		return point + 1;
	return g_str_equal(name->domainname, "(none)") ? "" : name->domainname;
}

static void set_number(LttSystem *system, const char *name, guint64 number)
{
	g_autofree char *text = g_strdup_printf("%" G_GUINT64_FORMAT, number);

	ltt_system_set(system, name, text);
}

/* Sets the attribute that identifies a boot of the machine. */
static void set_boot_id(LttSystem *system)
{
	g_autofree char *text = NULL;

	if (g_file_get_contents("/proc/sys/kernel/random/boot_id", &text, NULL, NULL))
		ltt_system_set(system, "boot_id", g_strstrip(text));
}

LttSystem *ltt_system_new_local(guint64 block_bytes)
{
	LttSystem *system = ltt_system_new();
	const LttArch arch = ltt_arch_native();
	const long n_cpus = sysconf(_SC_NPROCESSORS_CONF);
	struct utsname name;

	if (uname(&name) < 0)
		memset(&name, 0, sizeof(name));
	ltt_system_set(system, "node_name", name.nodename);
	ltt_system_set(system, "domainname", domain_name(&name));
	set_number(system, "cpu", (guint64)CLAMP(n_cpus, 1, LTT_MAX_CPUS));
	ltt_system_set(system, "arch_size", ltt_arch_size_name(arch.size));
	ltt_system_set(system, "endian", ltt_byte_order_name(arch.byte_order));
	ltt_system_set(system, "kernel_name", name.sysname);
	ltt_system_set(system, "kernel_release", name.release);
	ltt_system_set(system, "kernel_version", name.version);
	ltt_system_set(system, "machine", name.machine);
	ltt_system_set(system, "processor", "unknown");
	ltt_system_set(system, "hardware_platform", "unknown");
	ltt_system_set(system, "operating_system", "GNU/Linux");
	ltt_system_set(system, "ltt_major_version", "2");
	ltt_system_set(system, "ltt_minor_version", "0");
	set_number(system, "ltt_block_size", block_bytes);
	set_boot_id(system);
	ltt_system_set(system, "tracer", "libltt " LTT_VERSION);
	ltt_system_seal(system, NULL);
	return system;
}
