/* system.c - describe the machine in info/system.xml of a live trace. See system.h. */
#define _GNU_SOURCE
#include "session/system.h"

#include "session/sys.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/timex.h>
#include <sys/utsname.h>

#ifndef LTT_VERSION
#define LTT_VERSION "0"
#endif

enum { LIST_BYTES = 4096, NS_PER_US = 1000 };

/* Calls @visit for each range of a list of the kernel, such as "0-3,8-11". */
static void each_range(const char *path, void (*visit)(long from, long to, void *data), void *data)
{
	char text[LIST_BYTES], *at = text;

	lttp_read_text(path, text, sizeof(text));
	while (*at >= '0' && *at <= '9') {
		long from = strtol(at, &at, 10), to = *at == '-' ? strtol(at + 1, &at, 10) : from;

		visit(from, to, data);
		at += *at == ',';
	}
}

static void take_greatest(long from, long to, void *greatest)
{
	(void)from;
	if (to > *(long *)greatest)
		*(long *)greatest = to;
}

uint32_t lttp_system_cpus(void)
{
	long configured = sysconf(_SC_NPROCESSORS_CONF), greatest = -1;

	each_range("/sys/devices/system/cpu/possible", take_greatest, &greatest);
	if (greatest + 1 > configured)
		configured = greatest + 1;
	if (configured < 1)
		configured = 1;
	return configured < LTTP_CPUS_MAX ? (uint32_t)configured : LTTP_CPUS_MAX;
}

struct online {
	bool *set;
	long cpus, found;
};

static void set_online(long from, long to, void *data)
{
	struct online *online = data;

	for (long cpu = from; cpu <= to && cpu < online->cpus; cpu++) {
		online->set[cpu] = true;
		online->found++;
	}
}

void lttp_system_online(bool *online, uint32_t cpus)
{
	struct online list = {online, cpus, 0};

	memset(online, false, cpus * sizeof(*online));
	each_range("/sys/devices/system/cpu/online", set_online, &list);
	if (list.found == 0)
		set_online(0, (long)cpus - 1, &list);
}

static void put_attribute(FILE *out, const char *name, const char *value)
{
	fprintf(out, " %s=\"", name);
	for (; *value != 0; value++) {
		switch (*value) {
		case '&':
			fputs("&amp;", out);
			break;
		case '<':
			fputs("&lt;", out);
			break;
		case '"':
			fputs("&quot;", out);
			break;
		default:
			/* Control characters are not allowed in XML, and other bytes may not be
			 * UTF-8. */
			fputc(*value >= ' ' && *value < 0x7f ? *value : '?', out);
		}
	}
	fputs("\"\n", out);
}

static void put_number(FILE *out, const char *name, uint64_t value)
{
	char text[24];

	snprintf(text, sizeof(text), "%llu", (unsigned long long)value);
	put_attribute(out, name, text);
}

/* It identifies traces of the same boot of a machine. */
static void put_boot_id(FILE *out)
{
	char text[64];

	lttp_read_text("/proc/sys/kernel/random/boot_id", text, sizeof(text));
	text[strcspn(text, "\n")] = 0;
	if (text[0] != 0)
		put_attribute(out, "boot_id", text);
}

/* The kernel's estimate, made with NTP, of how far the wall clock is wrong at most. It says nothing if
 * the clock is not synchronized. */
static void put_clock_error(FILE *out)
{
	struct timex state = {.modes = 0};

	if (adjtimex(&state) >= 0 && (state.status & STA_UNSYNC) == 0 && state.maxerror >= 0)
		put_number(out, "clock_max_error", (uint64_t)state.maxerror * NS_PER_US);
}

char *lttp_system_xml(const struct lttp_head *head)
{
	const uint16_t one = 1;
	struct utsname names;
	char *text = NULL;
	size_t size;
	FILE *out;

	if (uname(&names) != 0 || (out = open_memstream(&text, &size)) == NULL)
		return NULL;
	fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<system\n", out);
	put_attribute(out, "node_name", names.nodename);
	put_attribute(out, "domainname", names.domainname);
	put_number(out, "cpu", head->cpus + head->lanes);
	put_attribute(out, "arch_size", LTTP_ARCH_SIZE_NAME);
	put_attribute(out, "endian", *(const char *)&one == 1 ? "little" : "big");
	put_attribute(out, "kernel_name", names.sysname);
	put_attribute(out, "kernel_release", names.release);
	put_attribute(out, "kernel_version", names.version);
	put_attribute(out, "machine", names.machine);
	put_attribute(out, "processor", "unknown");
	put_attribute(out, "hardware_platform", "unknown");
	put_attribute(out, "operating_system", "GNU/Linux");
	put_attribute(out, "ltt_major_version", "2");
	put_attribute(out, "ltt_minor_version", "0");
	put_number(out, "ltt_block_size", head->block_bytes);
	put_number(out, "cycle_frequency", head->cycles_per_second);
	put_number(out, "lanes", head->lanes);
	if (head->start_ns >= head->start_monotonic_ns)
		put_number(out, "monotonic_zero", head->start_ns - head->start_monotonic_ns);
	put_clock_error(out);
	put_boot_id(out);
	put_attribute(out, "tracer", "libltt-probe " LTT_VERSION);
	fputs("/>\n", out);
	if (fclose(out) != 0) {
		free(text);
		return NULL;
	}
	return text;
}
