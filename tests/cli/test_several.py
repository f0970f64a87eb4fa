"""Several traces: ltt stat, ltt export and ltt cut take them as ltt dump does."""
import collections
import glob
import json
import os
import re
import unittest

from command import SOURCE, CommandTest, ltt, sample

GROUPS = (('one-cpu', 'sparse-cpus'), ('one-cpu', 'one-cpu'), ('every-type', 'big-endian', 'flight-recorder'),
          ('big-endian', 'crashed'), ('sparse-cpus', 'one-cpu'))


class Several(CommandTest):
    def test_stat_is_the_sum(self):
        for names in GROUPS:
            traces = [sample(name) for name in names]
            for options in ([], ['-j3'], ['--filter', 'irq_id < 50'], ['--event', 'core.*']):
                together = json.loads(ltt('stat', '--json', *options, *traces).out)
                apart = [json.loads(ltt('stat', '--json', *options, trace).out) for trace in traces]
                for key in ('events', 'bytes', 'lost'):
                    self.assertEqual(together[key], sum(one[key] for one in apart), (names, options, key))
                by_event = sum((collections.Counter(one['by_event']) for one in apart), collections.Counter())
                self.assertEqual(together['by_event'], dict(by_event))
                self.assertEqual(sum(together['by_tracefile'].values()), together['events'])
                self.assertEqual(sum(one['events'] for one in together['tracefiles']), together['events'])

    def test_export_is_the_dump(self):
        for names in GROUPS:
            traces = [sample(name) for name in names]
            for kind in ('json', 'csv'):
                for options in ([], ['--offset', '2=-3ms'], ['--filter', 'irq_id < 50']):
                    self.assertEqual(ltt('export', '--to', kind, '-o', '-', *options, *traces).raw,
                                     ltt('dump', '--format', kind, *options, *traces).raw)

    def test_recordings_are_for_one_trace(self):
        traces = [sample('one-cpu'), sample('sparse-cpus')]
        for kind in ('perf', 'revent', 'qemu-replay'):
            self.assert_failed(ltt('export', '--to', kind, '-o', self.path('out'), *traces),
                               'ltt export: --to: %s is for one trace; `ltt merge` makes one of several' % kind)
            self.assertFalse(os.path.exists(self.path('out')))

    def on_machine(self, trace, name, **attributes):
        """A copy of a trace, recorded on another machine."""
        path = self.copy(trace, name)
        system = os.path.join(path, 'info/system.xml')
        with open(system, encoding='utf-8') as file:
            text = file.read()
        for key, value in attributes.items():
            text = re.sub(r' %s="[^"]*"' % key, '', text)
            text = text.replace('<system', '<system %s="%s"' % (key, value), 1)
        with open(system, 'w', encoding='utf-8') as file:
            file.write(text)
        return path

    @staticmethod
    def read_files(folder):
        return {os.path.relpath(path, folder): open(path, 'rb').read()
                for path in glob.glob(folder + '/**', recursive=True) if os.path.isfile(path)}

    # ---- chrome ----

    def export_chrome(self, *traces):
        result = ltt('export', '--to', 'chrome', '-o', '-', *traces)
        self.assertEqual(result.status, 0, result.err)
        entries = json.loads(result.out)['traceEvents']
        threads = collections.defaultdict(list)
        for entry in entries:
            if entry['ph'] != 'M' and not 5000000 <= entry['pid'] <= 5000001:
                threads[entry['pid'], entry['tid']].append((entry['name'], entry['ph']))
        names = {entry['pid']: entry['args']['name'] for entry in entries if entry['name'] == 'process_name'}
        return threads, names

    def test_chrome_separates_processes_of_machines(self):
        tracer = os.path.join(SOURCE, 'tests/data/ltt-extra/tracer')
        alone, names = self.export_chrome(tracer)
        self.assertTrue(alone)
        both, both_names = self.export_chrome(self.on_machine(tracer, 'a', node_name='mont', boot_id='1'),
                                              self.on_machine(tracer, 'b', node_name='val', boot_id='2'))
        self.assertEqual(both, {**alone, **{(pid + 10000000, tid + 10000000): entries
                                            for (pid, tid), entries in alone.items()}})
        for pid, _ in alone:
            self.assertEqual(both_names[pid], '%s (mont)' % names.get(pid, pid))
            self.assertEqual(both_names[pid + 10000000], '%s (val)' % names.get(pid, pid))

    def test_chrome_joins_processes_of_a_machine(self):
        tracer = os.path.join(SOURCE, 'tests/data/ltt-extra/tracer')
        alone, names = self.export_chrome(tracer)
        both, both_names = self.export_chrome(self.on_machine(tracer, 'a', node_name='mont', boot_id='1'),
                                              self.on_machine(tracer, 'b', node_name='mont', boot_id='1'))
        self.assertEqual(sorted(both), sorted(alone))
        self.assertEqual(both_names, names)

    # ---- ctf, cut ----

    def merge(self, name, *traces):
        path = self.path(name)
        self.assertLess(ltt('merge', '-o', path, *traces).status, 2)
        return path

    def test_ctf_is_that_of_the_merged_trace(self):
        for number, names in enumerate(GROUPS):
            traces = [sample(name) for name in names]
            merged = self.merge('merged-%d' % number, '--offset', '2=-3ms', *traces)
            folders = [self.path('%s-%d' % (name, number)) for name in ('ctf', 'ctf-merged')]
            self.assertLess(ltt('export', '--to', 'ctf', '-o', folders[0], '--offset', '2=-3ms', *traces).status, 2)
            self.assertLess(ltt('export', '--to', 'ctf', '-o', folders[1], merged).status, 2)
            self.assertEqual(self.read_files(folders[0]), self.read_files(folders[1]))

    def test_cut_is_that_of_the_merged_trace(self):
        for number, names in enumerate(GROUPS):
            traces = [sample(name) for name in names]
            merged = self.merge('merged-%d' % number, *traces)
            for options in ([], ['--from', '+0.1'], ['--filter', 'irq_id < 50'], ['--cpu', '0,2'], ['--every', '20K']):
                folder = self.path('parts-%d' % number)
                os.mkdir(folder)
                self.assertLess(ltt('cut', '-o', folder + '/a', *options, *traces).status, 2)
                self.assertLess(ltt('cut', '-o', folder + '/b', *options, merged).status, 2)
                self.assertEqual(sorted(os.listdir(folder)), ['a', 'b'])
                self.assertEqual(self.read_files(folder + '/a'), self.read_files(folder + '/b'), (names, options))
                if '--every' not in options:
                    self.assertEqual(ltt('dump', '--format=json', folder + '/a').raw,
                                     ltt('dump', '--format=json', *options, *traces).raw)
                os.rename(folder, self.path('done-%d-%s' % (number, '-'.join(options).replace('/', ''))))

    def test_cut_moves_times(self):
        traces = [sample('one-cpu'), sample('sparse-cpus')]
        out = self.path('out')
        self.assert_done(ltt('cut', '--offset', '2=-3ms', '--from', '+0.1', '-o', out, *traces))
        self.assertEqual(ltt('dump', '--format=json', out).raw,
                         ltt('dump', '--format=json', '--offset', '2=-3ms', '--from', '+0.1', *traces).raw)

    def test_cut_refuses_an_existing_directory(self):
        out = self.path('out')
        os.mkdir(out)
        self.assert_failed(ltt('cut', '-o', out, sample('one-cpu'), sample('sparse-cpus')), 'already exists')
        self.assertEqual(os.listdir(out), [])


if __name__ == '__main__':
    unittest.main()
