/* tsp-priv.h - the Trace Server Protocol 0.6 on the server of `ltt view` (doc/tsp.md).
 *
 * Viewers such as the trace viewer of VS Code use this protocol. Its paths are below tsp/api:
 *
 *	traces         the traces of `ltt view`; a client can open no others
 *	experiments    one, which consists of all traces
 *	outputs        spans, states (time graphs), density, counters (XY), types (data tree), events (table)
 *
 * Answers come from the same map and windows as those of the page.
 */
#ifndef LTT_VIEW_TSP_PRIV_H
#define LTT_VIEW_TSP_PRIV_H

#ifndef LTT_BUILDING
#error "view/tsp/tsp-priv.h is private to libltt; use <ltt/ltt-view.h>"
#endif

#include "view/request-priv.h"

/* Paths of the protocol begin with it. */
#define LTT_TSP_PREFIX "tsp/api/"

/* Bytes of the body of a request. */
#define LTT_TSP_MAX_BODY (1024 * 1024)

/* What clients have opened; shared by all requests. */
typedef struct LttTsp LttTsp;

/* @title: (transfer none): of the experiment */
LttTsp *ltt_tsp_new(const LttTrace *trace, const char *title);
void ltt_tsp_free(LttTsp *tsp); /* NULL is allowed and ignored */

/* A request, and its answer. */
typedef struct LttTspRequest {
	LttTsp *tsp;
	LttViewMap *map; /* that the answer is of */
	struct MHD_Connection *connection;
	const char *method;
	const char *path; /* after LTT_TSP_PREFIX */
	const char *body; /* JSON */
	gsize body_length;
} LttTspRequest;

/**
 * ltt_tsp_answer:
 * @answer: receives JSON
 *
 * Returns: the status of HTTP; 0: the client has closed the connection
 */
guint ltt_tsp_answer(const LttTspRequest *request, GString *answer);

#endif
