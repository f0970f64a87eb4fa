/* /proc in the formats of several kernels and architectures, and the resulting events. */
#include "support-trace.h"
#include "unit.h"

#include "record/proc-priv.h"

#include <ltt/ltt-error.h>
#include <ltt/ltt-merge.h>
#include <ltt/ltt-value.h>

#include <glib/gstdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

/* ---- interrupts ---- */

/* Asserts that @text contains the interrupts "NUMBER COUNT [CONTROLLER] [NAME]", one per line. */
static void assert_interrupts(const char *text, const char *expected, int line)
{
	g_autoptr(GPtrArray) interrupts = ltt_interrupts_parse(text);
	g_autoptr(GString) got = g_string_new(NULL);

	for (guint i = 0; i < interrupts->len; i++) {
		const LttInterrupt *interrupt = interrupts->pdata[i];

		g_string_append_printf(got, "%u %u [%s] [%s]\n", interrupt->number,
				       interrupt->count, interrupt->controller, interrupt->name);
	}
	unit_assert_text(got->str, expected, __FILE__, line);
}
#define ASSERT_INTERRUPTS(text, expected) assert_interrupts(text, expected, __LINE__)

static void test_x86_of_today(void)
{
	ASSERT_INTERRUPTS(
		"            CPU0       CPU1       CPU2       CPU3       \n"
		"   0:         19          0          0          1   IO-APIC   2-edge      timer\n"
		"   8:          0          0          1          0   IO-APIC   8-edge      rtc0\n"
		"   9:          0          7          0          0   IO-APIC   9-fasteoi   acpi\n"
		"  16:          3          0          4          0   IO-APIC  16-fasteoi   "
		"i801_smbus, ehci_hcd:usb1\n"
		"  24:          0          0          0          0  PCI-MSI 458752-edge      PCIe "
		"PME\n"
		"  28:          0          5          0         12 PCI-MSIX-0000:00:05.0   0-edge  "
		"    nvme0q0\n"
		"  31:          0          0          0          0  DMAR-MSI   0-edge      dmar0\n"
		"  40:          0          1          0          0  INTC1055:00   3  ELAN0678:00\n"
		"  41:          0          0          0          0  IO-APIC  14-fasteoi   1-0050\n"
		" NMI:          1          2          3          4   Non-maskable interrupts\n"
		" LOC: 4294967295          2          0          0   Local timer interrupts\n"
		" ERR:          5\n"
		" MIS:          0\n"
		" PIN:          0          0          0          0   Posted-interrupt notification "
		"event\n",
		"0 20 [IO-APIC 2-edge] [timer]\n"
		"8 1 [IO-APIC 8-edge] [rtc0]\n"
		"9 7 [IO-APIC 9-fasteoi] [acpi]\n"
		"16 7 [IO-APIC 16-fasteoi] [i801_smbus, ehci_hcd:usb1]\n"
		"24 0 [PCI-MSI 458752-edge] [PCIe PME]\n"
		"28 17 [PCI-MSIX-0000:00:05.0 0-edge] [nvme0q0]\n"
		"31 0 [DMAR-MSI 0-edge] [dmar0]\n"
		"40 1 [INTC1055:00 3] [ELAN0678:00]\n"
		"41 0 [IO-APIC 14-fasteoi] [1-0050]\n"
		"2147483648 10 [] [NMI: Non-maskable interrupts]\n"
		"2147483649 1 [] [LOC: Local timer interrupts]\n"
		"2147483650 5 [] [ERR]\n"
		"2147483651 0 [] [MIS]\n"
		"2147483652 0 [] [PIN: Posted-interrupt notification event]\n");
}

/* A kernel of 2003: no input numbers, one CPU, no text after NMI. */
static void test_x86_of_2003(void)
{
	ASSERT_INTERRUPTS(
		"           CPU0       \n"
		"  0:   80448940          XT-PIC  timer\n"
		"  1:     174412          XT-PIC  keyboard\n"
		" 11:          3          XT-PIC  3c905C, usb-uhci\n"
		" 12:      60330    IO-APIC-edge  PS/2 Mouse\n"
		" 19:         12   IO-APIC-level  Intel EtherExpress Pro 10/100 Ethernet\n"
		"NMI:          0 \n"
		"ERR:          0\n",
		"0 80448940 [XT-PIC] [timer]\n"
		"1 174412 [XT-PIC] [keyboard]\n"
		"11 3 [XT-PIC] [3c905C, usb-uhci]\n"
		"12 60330 [IO-APIC-edge] [PS/2 Mouse]\n"
		"19 12 [IO-APIC-level] [Intel EtherExpress Pro 10/100 Ethernet]\n"
		"2147483648 0 [] [NMI]\n"
		"2147483649 0 [] [ERR]\n");
}

/* A controller with blanks in its name; interprocessor interrupts; gaps in the CPU numbers; an
 * interrupt without a device. */
static void test_arm(void)
{
	ASSERT_INTERRUPTS(
		"           CPU0       CPU2       CPU3\n"
		" 11:       2108       1904       1711     GICv2  30 Level     arch_timer\n"
		" 14:          0          0          0     GICv2  65 Level     fe00b880.mailbox\n"
		" 18:         12          0          0     GICv2 150 Edge     \n"
		" 37:      60113          0          0  BRCM STB PCIe MSI 524288 Edge      "
		"xhci_hcd\n"
		" 48:          0          0          0   ITS-MSI 134217728 Edge      nvme0q0, "
		"nvme0q1\n"
		" 55:          2          0          0  gpio-mxc   5 Edge      2-0048\n"
		"IPI0:        11         22         33  Rescheduling interrupts\n"
		"IPI1:         1          2          3  Function call interrupts\n"
		"Err:          0\n",
		"11 5723 [GICv2 30 Level] [arch_timer]\n"
		"14 0 [GICv2 65 Level] [fe00b880.mailbox]\n"
		"18 12 [GICv2 150 Edge] []\n"
		"37 60113 [BRCM STB PCIe MSI 524288 Edge] [xhci_hcd]\n"
		"48 0 [ITS-MSI 134217728 Edge] [nvme0q0, nvme0q1]\n"
		"55 2 [gpio-mxc 5 Edge] [2-0048]\n"
		"2147483648 66 [] [IPI0: Rescheduling interrupts]\n"
		"2147483649 6 [] [IPI1: Function call interrupts]\n"
		"2147483650 0 [] [Err]\n");
}

static void test_other_architectures(void)
{
	/* Xen: no input number; s390: names only; MIPS: a number only. */
	ASSERT_INTERRUPTS("           CPU0       CPU1       \n"
			  "  48:       1201          0  xen-percpu    -virq      timer0\n"
			  "  57:          0         44  xen-dyn    -event     vif.device 0\n",
			  "48 1201 [xen-percpu -virq] [timer0]\n"
			  "57 44 [xen-dyn -event] [vif.device 0]\n");
	ASSERT_INTERRUPTS("           CPU0       \n"
			  "EXT:        122 \n"
			  "I/O:          9 \n"
			  "CLK:         80   [EXT] Clock Comparator\n",
			  "2147483648 122 [] [EXT]\n"
			  "2147483649 9 [] [I/O]\n"
			  "2147483650 80 [] [CLK: [EXT] Clock Comparator]\n");
	ASSERT_INTERRUPTS("           CPU0       \n"
			  "  7:      99118      MIPS   7  timer\n"
			  " 16:          5  XICS 590081 Edge      eth0\n"
			  " 17:          5      None\n"
			  " 18:          0      -       \n",
			  "7 99118 [MIPS 7] [timer]\n"
			  "16 5 [XICS 590081 Edge] [eth0]\n"
			  "17 5 [None] []\n"
			  "18 0 [-] []\n");
}

static void test_what_is_no_list_of_interrupts(void)
{
	ASSERT_INTERRUPTS("", "");
	ASSERT_INTERRUPTS("nothing to see here\n\n:\n : 1 2\nno label here: 4\n", "");
	/* Without the first line all numbers are counts; with it, at most one per CPU. */
	ASSERT_INTERRUPTS("1: 2 3 4", "1 9 [] []\n");
	ASSERT_INTERRUPTS("CPU0\n1: 2 3 4\n", "1 2 [3 4] []\n");
	ASSERT_INTERRUPTS("CPU0 CPU1\n4294967296: 2 x\n7:\n8: 99999999999999999999999\n",
			  "2147483648 2 [] [4294967296: x]\n7 0 [] []\n8 4294967295 [] []\n");
}

/* ---- processes ---- */

#define USERS "Uid:\t1000\t1001\t1002\t4294967295\nGid:\t20\t21\t22\t23\n"

static char *describe_process(const char *text)
{
	LttProcess process;
	char *got;

	if (!ltt_process_parse(text, &process))
		return g_strdup("none");
	got = g_strdup_printf("[%s] %u %u %u  %u %u %u %u  %u %u %u %u  %u", process.name,
			      process.pid, process.ppid, process.tracer_pid, process.uids[0],
			      process.uids[1], process.uids[2], process.uids[3], process.gids[0],
			      process.gids[1], process.gids[2], process.gids[3], process.state);
	g_free(process.name);
	return got;
}

static void test_a_process_of_today(void)
{
	g_autofree char *got = describe_process(
		"Name:\ta (b)\\\\c\\nState: d\nUmask:\t0022\nState:\tS (sleeping)\n"
		"Tgid:\t4194303\nNgid:\t0\nPid:\t4194303\nPPid:\t1\nTracerPid:\t77\n" USERS
		"FDSize:\t64\nGroups:\t \nNSpid:\t4194303\t1\n");

	UNIT_ASSERT_TEXT(got, "[a (b)\\c\nState: d] 4194303 1 77  1000 1001 1002 4294967295  "
			      "20 21 22 23  1");
}

static void test_what_is_no_process(void)
{
	static const char *const texts[] = {
		"",
		"Name:\tx\nState:\tR (running)\nPid:\t5\nPPid:\t1\nUid:\t1\t2\t3\t4\n",
		"Name:\tx\nState:\tR (running)\nPid:\t5\n" USERS,
		"Name:\tx\nState:\t\nPid:\t5\nPPid:\t1\n" USERS,
		"Name:\tx\nState:\tR (running)\nPid:\t4294967296\nPPid:\t1\n" USERS,
		"Name:\tx\nState:\tR "
		"(running)\nPid:\t5\nPPid:\t1\nUid:\t1\t2\t3\nGid:\t1\t1\t1\t1\n",
		"State:\tR (running)\nPid:\t5\nPPid:\t1\n" USERS,
	};

	for (guint i = 0; i < G_N_ELEMENTS(texts); i++) {
		g_autofree char *got = describe_process(texts[i]);

		UNIT_ASSERT_TEXT(got, "none");
	}
}

static void test_states(void)
{
	static const struct {
		const char *kernel;
		guint32 state;
	} states[] = {
		{"R (running)", LTT_PROCESS_RUNNING},
		{"S (sleeping)", LTT_PROCESS_WAIT_INTERRUPTIBLE},
		{"D (disk sleep)", LTT_PROCESS_WAIT_UNINTERRUPTIBLE},
		{"I (idle)", LTT_PROCESS_WAIT_INTERRUPTIBLE},
		{"P (parked)", LTT_PROCESS_WAIT_INTERRUPTIBLE},
		{"K (wakekill)", LTT_PROCESS_WAIT_UNINTERRUPTIBLE},
		{"W (paging)", LTT_PROCESS_PAGING},
		{"W (waking)", LTT_PROCESS_RUNNING},
		{"Z (zombie)", LTT_PROCESS_ZOMBIE},
		{"X (dead)", LTT_PROCESS_ZOMBIE},
		{"x (dead)", LTT_PROCESS_ZOMBIE},
		{"T (stopped)", LTT_PROCESS_TRACED},
		{"t (tracing stop)", LTT_PROCESS_TRACED},
		{"Q (new in some year)", 'Q'},
	};

	for (guint i = 0; i < G_N_ELEMENTS(states); i++) {
		g_autofree char *text = g_strdup_printf(
			"Name:\tx\nState:\t%s\nPid:\t5\nPPid:\t1\n%s", states[i].kernel, USERS);
		g_autofree char *got = describe_process(text);
		g_autofree char *expected = g_strdup_printf(
			"[x] 5 1 0  1000 1001 1002 4294967295  20 21 22 23  %u", states[i].state);

		UNIT_ASSERT_TEXT(got, expected);
	}
}

/* ---- a complete /proc ---- */

static void put(const char *proc, const char *name, const char *text)
{
	g_autofree char *path = g_build_filename(proc, name, NULL);
	g_autofree char *folder = g_path_get_dirname(path);

	g_mkdir_with_parents(folder, 0700);
	CU_ASSERT(g_file_set_contents(path, text, -1, NULL));
}

static void put_process(const char *proc, const char *pid, const char *name)
{
	g_autofree char *file = g_build_filename(pid, "status", NULL);
	g_autofree char *text = g_strdup_printf(
		"Name:\t%s\nState:\tD (disk sleep)\nPid:\t%s\nPPid:\t1\n%s", name, pid, USERS);

	put(proc, file, text);
}

static LttTraceWriter *new_writer(const char *path)
{
	g_autoptr(LttSystem) system = unit_system_new(LTT_BIG_ENDIAN, LTT_LP32, 256);
	const LttWriterOptions options = {.line = ltt_machine_get_line()};
	g_autoptr(GError) error = NULL;
	LttTraceWriter *writer = ltt_trace_writer_new(path, system, &options, &error);

	UNIT_ASSERT_OK(writer != NULL, error);
	return writer;
}

/* Asserts that the next event of @merge has the name @name and the value @text in @field. */
static void assert_next(LttMerge *merge, const char *name, const char *field, const char *text)
{
	const LttEvent *event = NULL;
	LttValue value;
	LttValue found;

	do {
		CU_ASSERT_FATAL(ltt_merge_next(merge, &event, NULL) == LTT_STEP_EVENT);
	} while (ltt_event_is_hidden(event));
	UNIT_ASSERT_TEXT(event->type->full_name, name);
	CU_ASSERT(ltt_event_get_value(event, &value));
	CU_ASSERT_FATAL(ltt_value_find(&value, field, &found));
	UNIT_ASSERT_TEXT(ltt_value_get_string(&found, NULL), text);
}

/* One process has exited, one has an empty status. */
static void test_a_machine_is_recorded(void)
{
	g_autofree char *proc = unit_temp_path("proc");
	g_autofree char *gone = g_build_filename(proc, "30", NULL);
	g_autofree char *path = unit_temp_path("machine");
	g_autoptr(GError) error = NULL;
	g_autoptr(LttTraceWriter) writer = new_writer(path);
	g_autoptr(LttTrace) trace = NULL;
	g_autoptr(LttMerge) merge = NULL;
	LttMachineCounts counts;

	put(proc, "interrupts", "CPU0\n 5: 1 PIC dev\nNMI: 2 Not maskable\n");
	put(proc, "uptime", "1 1\n");
	put_process(proc, "7", "init");
	put_process(proc, "123", "late");
	put_process(proc, "20", "early");
	put(proc, "40/status", "Name:\todd\n");
	put(proc, "5x/status", "");
	g_mkdir(gone, 0700);
	UNIT_ASSERT_OK(ltt_machine_record(writer, proc, &counts, &error), error);
	CU_ASSERT_EQUAL(counts.n_interrupts, 2);
	CU_ASSERT_EQUAL(counts.n_processes, 3);
	CU_ASSERT_EQUAL(counts.n_unreadable, 1);
	UNIT_ASSERT_OK(ltt_trace_writer_close(writer, &error), error);

	trace = ltt_trace_open(path, &error);
	UNIT_ASSERT_OK(trace != NULL, error);
	CU_ASSERT_EQUAL(ltt_trace_get_n_problems(trace), 0);
	merge = ltt_merge_new(trace, NULL);
	assert_next(merge, "interrupts.interrupt", "controller", "PIC");
	assert_next(merge, "interrupts.interrupt", "name", "NMI: Not maskable");
	assert_next(merge, "processes.process", "name", "init");
	assert_next(merge, "processes.process", "name", "early");
	assert_next(merge, "processes.process", "name", "late");
}

static void test_a_machine_without_a_list_of_interrupts(void)
{
	g_autofree char *proc = unit_temp_path("proc-bare");
	g_autofree char *missing = unit_temp_path("proc-none");
	g_autoptr(GError) error = NULL;
	g_autoptr(GPtrArray) interrupts = NULL;
	guint n_unreadable = 77;

	put_process(proc, "7", "init");
	interrupts = ltt_machine_read_interrupts(proc, &error);
	UNIT_ASSERT_OK(interrupts != NULL, error);
	CU_ASSERT_EQUAL(interrupts->len, 0);
	CU_ASSERT_PTR_NULL(ltt_machine_read_processes(missing, &n_unreadable, &error));
	UNIT_ASSERT_ERROR(error, LTT_ERROR_IO, "could not read the directory");
	CU_ASSERT_EQUAL(n_unreadable, 77);
}

/* The real /proc: contains this process with its properties. */
static void test_this_machine(void)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(GPtrArray) processes = NULL;
	guint n_unreadable;
	const LttProcess *self = NULL;
	char name[16]; /* that of an emulator, if one runs this program */

	CU_ASSERT_EQUAL(prctl(PR_GET_NAME, name), 0);
	processes = ltt_machine_read_processes("/proc", &n_unreadable, &error);
	UNIT_ASSERT_OK(processes != NULL, error);
	for (guint i = 0; i < processes->len; i++) {
		const LttProcess *process = processes->pdata[i];

		if (process->pid == (guint32)getpid())
			self = process;
	}
	CU_ASSERT_PTR_NOT_NULL_FATAL(self);
	CU_ASSERT_EQUAL(self->ppid, (guint32)getppid());
	CU_ASSERT_EQUAL(self->uids[0], getuid());
	CU_ASSERT_EQUAL(self->uids[1], geteuid());
	CU_ASSERT_EQUAL(self->gids[0], getgid());
	CU_ASSERT_EQUAL(self->state, LTT_PROCESS_RUNNING);
	CU_ASSERT_STRING_EQUAL(self->name, name);
}

UNIT_MAIN("machine", UNIT(test_x86_of_today), UNIT(test_x86_of_2003), UNIT(test_arm),
	  UNIT(test_other_architectures), UNIT(test_what_is_no_list_of_interrupts),
	  UNIT(test_a_process_of_today), UNIT(test_what_is_no_process), UNIT(test_states),
	  UNIT(test_a_machine_is_recorded), UNIT(test_a_machine_without_a_list_of_interrupts),
	  UNIT(test_this_machine))
