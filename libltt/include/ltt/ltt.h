/* ltt.h - include all of libltt. Instrumented programs include ltt-probe.h instead. */
#ifndef LTT_H
#define LTT_H

#include <ltt/ltt-arch.h>
#include <ltt/ltt-archive.h>
#include <ltt/ltt-arrow.h>
#include <ltt/ltt-attach.h>
#include <ltt/ltt-bookmarks.h>
#include <ltt/ltt-check.h>
#include <ltt/ltt-codegen.h>
#include <ltt/ltt-compare.h>
#include <ltt/ltt-cursor.h>
#include <ltt/ltt-cut.h>
#include <ltt/ltt-error.h>
#include <ltt/ltt-event.h>
#include <ltt/ltt-eventdefs.h>
#include <ltt/ltt-export.h>
#include <ltt/ltt-facility.h>
#include <ltt/ltt-filter.h>
#include <ltt/ltt-follow.h>
#include <ltt/ltt-format.h>
#include <ltt/ltt-import.h>
#include <ltt/ltt-job.h>
#include <ltt/ltt-join.h>
#include <ltt/ltt-layout.h>
#include <ltt/ltt-loss-reasons.h>
#include <ltt/ltt-machine.h>
#include <ltt/ltt-merge.h>
#include <ltt/ltt-nearest.h>
#include <ltt/ltt-offline.h>
#include <ltt/ltt-partition.h>
#include <ltt/ltt-payload.h>
#include <ltt/ltt-print.h>
#include <ltt/ltt-recording.h>
#include <ltt/ltt-repair.h>
#include <ltt/ltt-select.h>
#include <ltt/ltt-stat.h>
#include <ltt/ltt-system.h>
#include <ltt/ltt-table.h>
#include <ltt/ltt-time.h>
#include <ltt/ltt-trace.h>
#include <ltt/ltt-type.h>
#include <ltt/ltt-value.h>
#include <ltt/ltt-writer.h>

#endif /* LTT_H */
