/* conversions.c - see conversions.h. */
#include "conversions.h"

#include <string.h>

static PyObject *list_points(const LttClockMap *map)
{
	PyObject *list = PyList_New(0);
	const LttClockPoint *points;
	guint n_points;

	points = ltt_clock_map_get_points(map, &n_points);
	for (guint i = 0; list != NULL && i < n_points; i++) {
		if (!ext_append(list, Py_BuildValue("{s:K,s:K}", "from", points[i].from_ns, "to",
						    points[i].to_ns)))
			Py_CLEAR(list);
	}
	return list;
}

static PyObject *describe(const LttConversion *conversion)
{
	const guint64 bound_ns = ltt_clock_map_get_bound(conversion->map);
	PyObject *bound = bound_ns != LTT_CLOCK_NO_BOUND ? PyLong_FromUnsignedLongLong(bound_ns)
							 : Py_NewRef(Py_None);

	return Py_BuildValue("{s:I,s:N,s:L,s:d,s:N,s:I,s:N}", "first_cpu", conversion->first_cpu,
			     "host", ext_text(conversion->host, strlen(conversion->host)),
			     "offset_ns", (long long)ltt_conversion_get_offset_ns(conversion),
			     "rate_ppm", ltt_clock_map_get_rate_ppm(conversion->map), "bound_ns",
			     bound, "bends", ltt_clock_map_get_n_bends(conversion->map), "points",
			     list_points(conversion->map));
}

PyObject *conversions_list(const LttTrace *trace)
{
	g_autoptr(GPtrArray) conversions = ltt_trace_read_conversions(trace);
	PyObject *list = PyList_New(0);

	for (guint i = 0; list != NULL && i < conversions->len; i++) {
		if (!ext_append(list, describe(conversions->pdata[i])))
			Py_CLEAR(list);
	}
	return list;
}
