/* tracer.h - the facility in which the probe speaks of its own work. */
#ifndef LTTP_TRACER_H
#define LTTP_TRACER_H

/* The text of eventdefs/tracer.xml, which the build puts into the library. */
extern const char lttp_tracer_xml[];

#define LTTP_TRACER_CHECKSUM 0x5a5cf28du
#define LTTP_TRACER_EVENTS   5

#endif /* LTTP_TRACER_H */
