/* tracer.h - descriptions of the facilities tracer and losses. */
#ifndef LTTP_TRACER_H
#define LTTP_TRACER_H

/* The texts of eventdefs/tracer.xml and losses.xml, which the build puts into the library. */
extern const char lttp_tracer_xml[];
extern const char lttp_losses_xml[];

#define LTTP_TRACER_CHECKSUM 0x5a5cf28du
#define LTTP_TRACER_EVENTS   5
#define LTTP_LOSSES_CHECKSUM 0x30b302d9u
#define LTTP_LOSSES_EVENTS   2

#endif /* LTTP_TRACER_H */
