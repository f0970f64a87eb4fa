/* self.c - the variables of the probe that more than one file uses. See self.h and section.h. */
#include "probe/self.h"

#include "probe/section.h"

struct lttp_probe lttp_probe;

__thread struct ltt_probe_thread ltt_probe_thread __attribute__((tls_model("initial-exec")));

#if defined(LTT_PROBE_HAS_SECTION) && defined(__x86_64__)

uint8_t lttp_section_has_avx;

static void __attribute__((constructor)) look_for_avx(void)
{
	__builtin_cpu_init();
	lttp_section_has_avx = __builtin_cpu_supports("avx") != 0;
}

#endif
