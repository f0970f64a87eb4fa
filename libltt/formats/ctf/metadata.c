/* metadata.c - write the metadata of a CTF trace in TSDL (doc/ctf.md).
 *
 * The headers and contexts declared here correspond to the structs of packet-priv.h.
 *
 * There is no UUID, so that two exports of the same trace are identical. A constant UUID is not
 * possible, because tools treat traces with the same UUID as one trace.
 */
#include "formats/ctf/metadata-priv.h"

/* These names are also in the list of reserved names in text.c. */
static const char type_names[] =
	"typealias integer { size = 8; align = 8; signed = false; } := uint8_t;\n"
	"typealias integer { size = 16; align = 8; signed = false; } := uint16_t;\n"
	"typealias integer { size = 32; align = 8; signed = false; } := uint32_t;\n"
	"typealias integer { size = 64; align = 8; signed = false; } := uint64_t;\n"
	"typealias integer { size = 8; align = 8; signed = true; } := int8_t;\n"
	"typealias integer { size = 16; align = 8; signed = true; } := int16_t;\n"
	"typealias integer { size = 32; align = 8; signed = true; } := int32_t;\n"
	"typealias integer { size = 64; align = 8; signed = true; } := int64_t;\n"
	"typealias floating_point { exp_dig = 8; mant_dig = 24; align = 8; } := float32_t;\n"
	"typealias floating_point { exp_dig = 11; mant_dig = 53; align = 8; } := float64_t;\n"
	"\n";

static void add_trace(GString *out, const LttSystem *system)
{
	const LttByteOrder order = ltt_system_get_arch(system)->byte_order;

	g_string_append_printf(out,
			       "trace {\n"
			       "\tmajor = 1;\n"
			       "\tminor = 8;\n"
			       "\tbyte_order = %s;\n"
			       "\tpacket.header := struct {\n"
			       "\t\tuint32_t magic;\n"
			       "\t\tuint32_t stream_id;\n"
			       "\t\tuint64_t stream_instance_id;\n"
			       "\t};\n"
			       "};\n"
			       "\n",
			       order == LTT_LITTLE_ENDIAN ? "le" : "be");
}

/* ---- environment ---- */

static void add_variable(GString *out, GHashTable *names, const char *name, const char *value)
{
	g_autofree char *identifier =
		g_strcanon(g_strdup(name), G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "_", '_');

	if (value == NULL || identifier[0] == '\0')
		return;
	g_string_append_c(out, '\t');
	if (g_ascii_isdigit(identifier[0])) {
		g_autofree char *digits = g_steal_pointer(&identifier);

		identifier = g_strconcat("_", digits, NULL);
	}
	ltt_ctf_add_name(out, ltt_ctf_names_add_unique(names, identifier, ""));
	g_string_append(out, " = ");
	ltt_ctf_add_string(out, value);
	g_string_append(out, ";\n");
}

/* Appends the variables that tools know from LTTng, then all attributes of system.xml. */
static void add_environment(GString *out, const LttSystem *system)
{
	g_autoptr(GHashTable) names = ltt_ctf_names_new();
	const char *tracer = ltt_system_get(system, "tracer");

	g_string_append(out, "env {\n");
	add_variable(out, names, "hostname", ltt_system_get(system, "node_name"));
	add_variable(out, names, "sysname", ltt_system_get(system, "kernel_name"));
	add_variable(out, names, "tracer_name", tracer != NULL ? tracer : "ltt");
	for (guint i = 0; i < ltt_system_get_n_attributes(system); i++) {
		const char *name;
		const char *value;

		ltt_system_get_attribute(system, i, &name, &value);
		add_variable(out, names, name, value);
	}
	if (ltt_system_get_text(system)[0] != '\0')
		add_variable(out, names, "system_text", ltt_system_get_text(system));
	g_string_append(out, "};\n\n");
}

/* ---- clock and streams ---- */

static const char clock_text[] =
	"clock {\n"
	"\tname = \"ltt\";\n"
	"\tdescription = \"nanoseconds since 1970-01-01 UTC\";\n"
	"\tfreq = 1000000000;\n"
	"\toffset_s = 0;\n"
	"\toffset = 0;\n"
	"\tabsolute = true;\n"
	"};\n"
	"\n"
	"typealias integer { size = 64; align = 8; signed = false; map = clock.ltt.value; } := "
	"time_ns_t;\n"
	"\n";

static void add_stream(GString *out, LttCtfClass stream_class, gboolean has_threads)
{
	g_string_append_printf(out,
			       "stream {%s\n"
			       "\tid = %u;\n"
			       "\tpacket.context := struct {\n"
			       "\t\ttime_ns_t timestamp_begin;\n"
			       "\t\ttime_ns_t timestamp_end;\n"
			       "\t\tuint64_t content_size;\n"
			       "\t\tuint64_t packet_size;\n"
			       "\t\tuint64_t events_discarded;\n",
			       stream_class == LTT_CTF_CPU ? " /* a cpu file */"
							   : " /* a control file */",
			       (guint)stream_class);
	if (stream_class == LTT_CTF_CPU)
		g_string_append(out, "\t\tuint32_t cpu_id;\n");
	g_string_append(out, "\t};\n"
			     "\tevent.header := struct {\n"
			     "\t\tuint32_t id;\n"
			     "\t\ttime_ns_t timestamp;\n"
			     "\t};\n");
	if (has_threads)
		g_string_append(out, "\tevent.context := struct { /* -1: not known */\n"
				     "\t\tint64_t pid;\n"
				     "\t\tint64_t tid;\n"
				     "\t};\n");
	g_string_append(out, "};\n\n");
}

void ltt_ctf_add_preamble(GString *out, const LttSystem *system, gboolean has_threads)
{
	g_string_append(out, "/* CTF 1.8 */\n\n");
	g_string_append(out, type_names);
	add_trace(out, system);
	add_environment(out, system);
	g_string_append(out, clock_text);
	for (guint i = 0; i < LTT_CTF_N_CLASSES; i++)
		add_stream(out, i, has_threads);
}

/* ---- events ---- */

static void add_event_in(GString *out, const LttCtfType *type, LttCtfClass stream_class)
{
	const LttFacility *facility = type->type->facility;

	g_string_append(out, "event {");
	ltt_ctf_add_comment(out, type->type->description);
	g_string_append_printf(out,
			       "\n\tname = \"%s:%s\"; /* facility checksum 0x%08x */\n"
			       "\tid = %u;\n"
			       "\tstream_id = %u;\n"
			       "\tfields := ",
			       ltt_facility_get_name(facility), type->type->name,
			       ltt_facility_get_checksum(facility), type->id, (guint)stream_class);
	ltt_ctf_add_fields(out, type->layout, 1);
	g_string_append(out, ";\n};\n\n");
}

void ltt_ctf_add_event(GString *out, const LttCtfType *type)
{
	for (guint i = 0; i < LTT_CTF_N_CLASSES; i++)
		if (type->is_in[i])
			add_event_in(out, type, i);
}
