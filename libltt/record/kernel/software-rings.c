/* software-rings.c - see software-rings-priv.h.
 *
 * A user may lock so much memory for all CPUs, so large first rings could leave nothing for the others.
 * Then all are opened again with half the size.
 */
#include "record/kernel/software-rings-priv.h"

#include <errno.h>

static int open_all(LttSoftwareRing *rings, guint n_cpus, const LttSoftwareRequest *request,
		    guint *n_rings)
{
	int result = 0;

	*n_rings = 0;
	for (guint i = 0; result == 0 && i < n_cpus; i++) {
		result = ltt_software_ring_open(&rings[*n_rings], i, request);
		if (result == 0)
			++*n_rings;
		else if (result == -ENODEV)
			result = 0;
	}
	return -result;
}

int ltt_software_rings_open(LttSoftwareRing *rings, guint n_cpus, LttSoftwareRequest *request,
			    guint *n_rings)
{
	int errnum;

	while ((errnum = open_all(rings, n_cpus, request, n_rings)) == EPERM &&
	       request->data_bytes > LTT_SOFTWARE_BUFFER_BYTES) {
		ltt_software_rings_close(rings, n_rings);
		request->data_bytes /= 2;
	}
	return errnum;
}

void ltt_software_rings_close(LttSoftwareRing *rings, guint *n_rings)
{
	for (guint i = 0; i < *n_rings; i++)
		ltt_software_ring_close(&rings[i]);
	*n_rings = 0;
}

void ltt_software_rings_enable(const LttSoftwareRing *rings, guint n_rings, gboolean is_on)
{
	for (guint i = 0; i < n_rings; i++)
		ltt_software_ring_enable(&rings[i], is_on);
}
