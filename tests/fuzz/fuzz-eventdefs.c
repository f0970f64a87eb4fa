/* fuzz-eventdefs.c - event descriptions: each facility read is written, read again, and compiled to
 * a header. */
#include "fuzz.h"
#include "mutate-text.h"

#include <ltt/ltt-codegen.h>
#include <ltt/ltt-eventdefs.h>

#include <string.h>

static GPtrArray *new_remarks(void)
{
	return g_ptr_array_new_with_free_func((GDestroyNotify)ltt_remark_free);
}

static void try_facility(const LttFacility *facility)
{
	g_autofree char *text = ltt_eventdefs_print(facility);
	g_autoptr(GPtrArray) remarks = new_remarks();
	g_autoptr(GPtrArray) again = ltt_eventdefs_parse(text, strlen(text), remarks);
	g_autofree char *header = ltt_codegen_header(facility, NULL);

	(void)header;
	FUZZ_ASSERT(again->len == 1);
	FUZZ_ASSERT(ltt_facility_get_checksum(again->pdata[0]) ==
		    ltt_facility_get_checksum(facility));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	g_autoptr(GPtrArray) remarks = new_remarks();
	g_autoptr(GPtrArray) facilities = ltt_eventdefs_parse((const char *)data, size, remarks);

	for (guint i = 0; i < facilities->len; i++)
		try_facility(facilities->pdata[i]);
	return 0;
}

#ifdef FUZZER
FUZZ_TEXT(0, "<int size=\"4\"/>", "<uint size=\"1\"/>", "<uint size=\"8\" format=\"%x\"/>",
	  "<float size=\"8\"/>", "<float size=\"medium\"/>", "<string/>", "<string format=\"%s\"/>",
	  "<enum size=\"1\">A B C</enum>",
	  "<enum size=\"medium\"><label name=\"a\" value=\"1\"/><label name=\"b\"/></enum>",
	  "<array size=\"3\"><uint size=\"2\"/></array>",
	  "<sequence lengthsize=\"1\"><string/></sequence>",
	  "<struct><field name=\"a\"><string/></field></struct>",
	  "<union typecodesize=\"1\"><field name=\"a\"><string/></field></union>",
	  "<typeref name=\"t\"/>", "<typeref name=\"timespec\"/>",
	  "<field name=\"b\"><string/></field>", "<event name=\"e\"><struct/></event>",
	  "<event name=\"f\"/>", "<type name=\"t\"><string/></type>",
	  "<label name=\"c\" value=\"-1\"/>", "<description>text</description>",
	  "<facility name=\"g\"></facility>", "<![CDATA[x]]>", "<!-- x -->",
	  "<?xml version=\"1.0\"?>", "<!DOCTYPE x [<!ENTITY y \"z\">]>", "&amp;", "&lt;", "&#10;",
	  "&#x10ffff;", "&y;", "name=\"n\"", "size=\"2\"", "size=\"long\"", "size=\"short\"",
	  "size=\"pointer\"", "lengthsize=\"2\"", "typecodesize=\"4\"", "value=\"7\"",
	  "format=\"%d\"", "format=\"%s %\"", "xmlns:ltt=\"urn:ltt:view\"", "ltt:role=\"counter\"",
	  "ltt:role=\"duration\"", "ltt:role=\"text\"", "ltt:show=\"first\"", "ltt:show=\"hidden\"",
	  "ltt:ends=\"e\"", "ltt:key=\"a\"", "ltt:state=\"running\"", "ltt:print=\"{a} {b}\"",
	  "int", "uint", "float", "string", "enum", "array", "sequence", "struct", "union",
	  "typeref", "field", "event", "type", "facility", "label", "description", "a", "b", "e",
	  "t", "{a}", "{a:x}", "{", "}", "<", ">", "/>", "</", "=")
#endif
