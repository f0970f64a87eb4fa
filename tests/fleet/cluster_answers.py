"""cluster_answers.py - counts and sums of a fleet by a Spark cluster, as JSON.

usage: cluster_answers.py MASTER ADDRESS TRACES SIGN

While the file SIGN is there, each task waits after its first rows, so a worker can be killed in the
middle of the job. Tasks that have begun write a line to it.
"""
import json
import os
import sys
import time

from spark_answers import plain, session


def wait_for(sign):
    """A function for mapInArrow()."""
    def wait(batches):
        for batch in batches:
            if os.path.exists(sign):
                with open(sign, 'a', encoding='utf-8') as file:
                    file.write('%d\n' % os.getpid())
                while os.path.exists(sign):
                    time.sleep(0.02)
            yield batch
    return wait


def main():
    master, address, traces, sign = sys.argv[1:]
    spark = session(master, address)
    events = spark.read.format('ltt').option('event', 'http.request').option('partBytes', '50000').load(traces)
    chosen = events.select('host', 'id', 'bytes')
    watched = chosen.mapInArrow(wait_for(sign), chosen.schema)
    rows = watched.groupBy('host').agg({'*': 'count', 'id': 'sum', 'bytes': 'sum'}).orderBy('host').collect()
    hosts = spark.sparkContext._jsc.sc().statusTracker().getExecutorInfos()  # pylint: disable=protected-access
    print(json.dumps({'rows': [plain(list(row)) for row in rows], 'executors': sorted({info.host() for info in hosts})}))


if __name__ == '__main__':
    main()
