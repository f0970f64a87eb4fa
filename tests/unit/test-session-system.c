/* The description of the machine in a session's info/system.xml. */
#define _GNU_SOURCE
#include "unit.h"

#include "session/system.h"

#include <glib.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

/* The greatest number in a list such as "0-3,8", and how many there are. */
static uint32_t read_list(const char *path, uint32_t *count)
{
	g_autofree char *text = NULL;
	g_auto(GStrv) parts = NULL;
	guint64 last = 0;

	*count = 0;
	if (!g_file_get_contents(path, &text, NULL, NULL))
		return 0;
	parts = g_strsplit(text, ",", -1);
	for (guint i = 0; parts[i] != NULL; i++) {
		const char *dash = strchr(parts[i], '-');
		guint64 first = g_ascii_strtoull(parts[i], NULL, 10);

		last = dash != NULL ? g_ascii_strtoull(dash + 1, NULL, 10) : first;
		*count += (uint32_t)(last - first) + 1;
	}
	return (uint32_t)last;
}

static void test_cpus(void)
{
	uint32_t possible, online, last = read_list("/sys/devices/system/cpu/possible", &possible);
	uint32_t last_online = read_list("/sys/devices/system/cpu/online", &online), set = 0;
	bool is_online[LTTP_CPUS_MAX + 1];

	/* The files are opened as descriptor 0. */
	close(STDIN_FILENO);
	if (possible == 0 || online == 0)
		return;
	CU_ASSERT_EQUAL(lttp_system_cpus(), MAX(last + 1, (uint32_t)sysconf(_SC_NPROCESSORS_CONF)));
	memset(is_online, true, sizeof(is_online));
	lttp_system_online(is_online, LTTP_CPUS_MAX);
	CU_ASSERT_TRUE(is_online[LTTP_CPUS_MAX]);
	for (uint32_t i = 0; i < LTTP_CPUS_MAX; i++)
		set += is_online[i];
	CU_ASSERT_EQUAL(set, online);
	CU_ASSERT_TRUE(is_online[last_online] && !is_online[last_online + 1]);
	/* No more than there is room for. */
	memset(is_online, true, sizeof(is_online));
	lttp_system_online(is_online, 1);
	CU_ASSERT_TRUE(is_online[1]);
}

/* The whole of info/system.xml, except for what the kernel knows of the clock's error. */
static void test_system(void)
{
	g_autofree struct lttp_head *head = g_new0(struct lttp_head, 1);
	g_autofree char *boot = NULL, *begin = NULL, *end = NULL;
	struct utsname names;
	char *text;

	*head = (struct lttp_head){.cpus = 3,
				   .lanes = 5,
				   .block_bytes = 8192,
				   .cycles_per_second = 12345,
				   .start_ns = 1000,
				   .start_monotonic_ns = 1000};
	CU_ASSERT_EQUAL(uname(&names), 0);
	g_file_get_contents("/proc/sys/kernel/random/boot_id", &boot, NULL, NULL);
	begin = g_strdup_printf("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<system\n"
				" node_name=\"%s\"\n domainname=\"%s\"\n cpu=\"8\"\n"
				" arch_size=\"%s\"\n endian=\"%s\"\n kernel_name=\"%s\"\n"
				" kernel_release=\"%s\"\n kernel_version=\"%s\"\n"
				" machine=\"%s\"\n processor=\"unknown\"\n"
				" hardware_platform=\"unknown\"\n operating_system=\"GNU/Linux\"\n"
				" ltt_major_version=\"2\"\n ltt_minor_version=\"0\"\n"
				" ltt_block_size=\"8192\"\n cycle_frequency=\"12345\"\n"
				" lanes=\"5\"\n monotonic_zero=\"0\"\n",
				names.nodename, names.domainname,
				sizeof(void *) == 8 ? "LP64" : "ILP32",
				G_BYTE_ORDER == G_LITTLE_ENDIAN ? "little" : "big", names.sysname,
				names.release, names.version, names.machine);
	end = g_strdup_printf(" boot_id=\"%s\"\n tracer=\"libltt-probe ", g_strchomp(boot));
	text = lttp_system_xml(head);
	CU_ASSERT_PTR_NOT_NULL_FATAL(text);
	CU_ASSERT_TRUE(g_str_has_prefix(text, begin));
	CU_ASSERT_PTR_NOT_NULL(strstr(text, end));
	CU_ASSERT_TRUE(g_str_has_suffix(text, "\"\n/>\n"));
	free(text);
	/* A clock that was set before the machine started. */
	head->start_ns = 999;
	text = lttp_system_xml(head);
	CU_ASSERT_PTR_NOT_NULL_FATAL(text);
	CU_ASSERT_PTR_NULL(strstr(text, "monotonic_zero"));
	free(text);
}

UNIT_MAIN("session-system", UNIT(test_cpus), UNIT(test_system))
