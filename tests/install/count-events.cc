// count-events.cc - a trace read from C++: how many events of each type it has.
#include <ltt/ltt.h>

#include <cstdio>
#include <map>
#include <memory>
#include <string>

int main(int argc, char **argv)
{
	using Trace = std::unique_ptr<LttTrace, decltype(&ltt_trace_free)>;
	using Merge = std::unique_ptr<LttMerge, decltype(&ltt_merge_free)>;
	const Trace trace(ltt_trace_open(argc > 1 ? argv[1] : "", nullptr), ltt_trace_free);
	if (!trace)
		return 2;

	const Merge merge(ltt_merge_new(trace.get(), nullptr), ltt_merge_free);
	std::map<std::string, unsigned long> counts;
	const LttEvent *event;
	while (ltt_merge_next(merge.get(), &event, nullptr) == LTT_STEP_EVENT)
		counts[event->type->full_name]++;
	for (const auto &count : counts)
		std::printf("%s %lu\n", count.first.c_str(), count.second);
}
