"""Several Python threads on one trace; Ctrl-C; memory that does not grow."""
import gc
import os
import resource
import signal
import sys
import tempfile
import threading
import unittest
import warnings

import ltt
from support import TraceTest, sample

import big_trace

try:
    import pyarrow
except ImportError:
    pyarrow = None

# A clock of the process would ring in any thread; this signal is Ctrl-C of the main thread.
RINGS_MS = 20


class Threads(TraceTest):
    def run_in_threads(self, functions):
        results = [None] * len(functions)

        def run(index):
            try:
                results[index] = functions[index]()
            except BaseException as error:  # pylint: disable=broad-except
                results[index] = error

        threads = [threading.Thread(target=run, args=(index,)) for index in range(len(functions))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return results

    def test_one_trace(self):
        """Events, tables, counts and HTML at once: the answers are those of one thread."""
        trace = self.open('sparse-cpus')

        def ask():
            return (sum(event.time_ns for event in trace.events(hidden=True)),
                    trace.table('core.file_open', batch_rows=3)['fd'].to_list(), trace.stat()['events'],
                    len(list(trace.spans())), len(trace.latency('core.irq_entry', 'core.irq_exit', by='cpu')),
                    list(trace.sql('select sum(fd) from core_file_open')), trace._repr_html_())

        expected = ask()
        self.assertTrue(all(result == expected for result in self.run_in_threads([ask] * 8)))

    def test_one_iterator(self):
        """Each event goes to one thread; a thread that comes while another reads gets a ValueError."""
        for make in (lambda trace: trace.events(), lambda trace: trace.table('core.schedchange', batch_rows=2).batches(),
                     lambda trace: trace.spans()):
            trace = self.open('sparse-cpus')
            expected, iterator = len(list(make(trace))), make(trace)

            def take(iterator=iterator):
                taken = 0
                while True:
                    try:
                        next(iterator)
                        taken += 1
                    except ValueError as error:
                        self.assertIn('another thread is taking a step', str(error))
                    except StopIteration:
                        return taken

            self.assertEqual(sum(self.run_in_threads([take] * 4)), expected)

    def test_closed_meanwhile(self):
        """A reader continues to the end, or gets a ValueError."""
        for _ in range(20):
            trace = ltt.open(sample('sparse-cpus'))
            functions = [lambda trace=trace: len(list(trace.events())), lambda trace=trace: trace.stat()['events'], trace.close]
            for result in self.run_in_threads(functions)[:2]:
                if isinstance(result, ValueError):
                    self.assertEqual(str(result), 'the trace is closed')
                else:
                    self.assertEqual(result, 1200)


class Interrupts(TraceTest):
    """The handlers of signals run while the library reads; an exception of theirs ends the work."""

    def setUp(self):
        super().setUp()
        self.trace = ltt.open([sample('sparse-cpus')] * 300)
        self.addCleanup(self.trace.close)
        self.addCleanup(signal.signal, signal.SIGALRM, signal.getsignal(signal.SIGALRM))

        def ring(*_):
            raise InterruptedError('rung')

        signal.signal(signal.SIGALRM, ring)

    @unittest.skipIf(pyarrow is None, 'pyarrow is not installed')
    def test_a_consumer_in_c(self):
        """The stream fails, and the exception of the handler follows when Python code runs again."""
        table = self.trace.table('core.file_open', ['fd'], filter='fd == 77777777', ordered=True)
        # The first call imports modules, which hide exceptions of a handler.
        pyarrow.table(self.trace.table('core.file_open', ['fd'], end='+0'))
        signal.setitimer(signal.ITIMER_REAL, RINGS_MS / 1000)
        raised = []
        while not raised:
            try:
                try:
                    pyarrow.table(table)
                except OSError as error:
                    raised.append(error)
                for _ in range(1000):
                    pass
            except InterruptedError as error:
                raised.append(error)
        self.assertIsInstance(raised[-1], InterruptedError)

    def test_queries(self):
        """SQLite computes, or the library reads a table. To prepare a query of 300 traces takes longer than the signal."""
        for query in ('with recursive n(i) as (select 1 union all select i + 1 from n) select max(i) from n',
                      'select * from core_file_open a, core_file_open b where a.fd = 77777777 + b.fd'):
            rows = self.trace.sql(query).rows()
            with self.assertRaisesRegex(InterruptedError, 'rung'):
                signal.setitimer(signal.ITIMER_REAL, RINGS_MS / 1000)
                raise AssertionError('%r was found before the signal' % next(rows, None))

    def is_interrupted(self, work):
        """
        Returns whether a handler runs while a function of the library reads, and its exception ends that function.
        The alarm is set when a function of C begins. If the function does not look for signals, the handler runs when
        the function has returned: in profile(), or after it.
        """
        inside = False
        found = []

        def profile(frame, what, function):
            nonlocal inside
            if frame.f_code is ring.__code__:
                return
            inside = what == 'c_call' and (function is next or type(function.__self__).__module__.startswith('ltt'))
            signal.setitimer(signal.ITIMER_REAL, RINGS_MS / 1000 if inside else 0)

        def ring(_, frame):
            found.append(inside and frame.f_code is not profile.__code__)
            raise InterruptedError('rung')

        signal.signal(signal.SIGALRM, ring)
        try:
            sys.setprofile(profile)
            work()
        except InterruptedError:
            pass
        finally:
            sys.setprofile(None)
            signal.setitimer(signal.ITIMER_REAL, 0)
        return True in found

    def test_events(self):
        """The interrupted step loses no event. More is read until a step takes long enough to be interrupted."""
        path = os.path.join(self.enterContext(tempfile.TemporaryDirectory()), 'trace')
        big_trace.write(path, 47)
        with ltt.open(path) as trace:
            last = trace.stat()['last']
            n_last = len(list(trace.events(start=last)))
        for n_traces in (1, 4, 16, 64):
            with ltt.open([path] * n_traces) as trace:
                reading = trace.events(filter='time >= %d.%09d' % divmod(last, 10**9))
                if self.is_interrupted(lambda reading=reading: next(reading)):
                    self.assertEqual(len(list(reading)), n_traces * n_last)
                    return
        self.fail('no signal is handled during a step')

    def test_other_work(self):
        """More is read until a call takes long enough to be interrupted."""
        path = os.path.join(self.enterContext(tempfile.TemporaryDirectory()), 'trace')
        big_trace.write(path, 47)
        for work in (lambda trace: next(trace.table('f.tick', filter='time == 7').batches(), None), ltt.Trace.stat,
                     lambda trace: next(trace.spans(filter='time == 7'), None),
                     lambda trace: trace.latency('f.work_begin', 'f.work_end')):
            for n_traces in (4, 16, 64, 128):
                with ltt.open([path] * n_traces) as trace:
                    if self.is_interrupted(lambda work=work, trace=trace: work(trace)):
                        break
            else:
                self.fail('no signal is handled during the work')


class Memory(TraceTest):
    def resident(self):
        with open('/proc/self/statm', encoding='ascii') as file:
            return int(file.read().split()[1]) * resource.getpagesize()

    @unittest.skipIf('LD_PRELOAD' in os.environ, 'the sanitizers keep freed memory')
    def test_it_does_not_grow(self):
        """Repeated calls, successful and failing ones, do not use more memory."""
        def ask():
            with ltt.open(sample('sparse-cpus')) as trace:
                events = list(trace.events(hidden=True))
                self.assertTrue([dict(event) for event in events] and [repr(event) for event in events[:50]])
                table = trace.table('named.draw', batch_rows=10)
                self.assertTrue(table.to_dict() and table._repr_html_() and memoryview(table['time']).tolist())
                table.__arrow_c_stream__()
                next(table.batches()).__arrow_c_array__()
                self.assertTrue(trace.info and trace.stat() and trace.types and trace._repr_html_() and list(trace.spans()))
                self.assertTrue(trace.sql('select * from core_file_open')._repr_html_())
                self.assertTrue(trace.latency('core.irq_entry', 'core.irq_exit', by='cpu', group='irq_id')._repr_html_())
                for wrong in (lambda: events[0]['x'], lambda: trace.events(filter='('), lambda: trace.table('x'),
                              lambda: trace.latency('a', 'b'), lambda: ltt.open('/nothing')):
                    with self.assertRaises((KeyError, ltt.Error, ltt.SelectionWarning)):
                        wrong()

        with warnings.catch_warnings():
            warnings.simplefilter('ignore', ltt.SelectionWarning)
            for _ in range(30):
                ask()
            gc.collect()
            before = self.resident()
            for _ in range(100):
                ask()
            gc.collect()
        self.assertLess(self.resident() - before, 8 << 20)


if __name__ == '__main__':
    unittest.main()
