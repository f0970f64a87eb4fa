"""The Trace Server Protocol of `ltt view`, as tsp-typescript-client sees it."""
import json
import os
import random
from bisect import bisect_left
from collections import Counter

import small_trace
from command import SOURCE, as_json, ltt, sample, samples, some_of, time_ns
from viewing import TspTest

DESCRIPTION = '''<facility name="f">
<event name="a_begin"/><event name="a_end"/><event name="b_begin"/><event name="b_end"/><event name="tick"/>
</facility>'''


def make_events(seed, n):
    """Nested spans of all lengths, and single events; all spans have an end."""
    choose, time, stack, events = random.Random(seed), 1000, [], []
    for _ in range(n):
        time += choose.choice((3, 7, 50, 400, 20000))
        if choose.random() < 0.4 and len(stack) < 4:
            stack.append(choose.choice('ab'))
            events.append((time, stack[-1] + '_begin', b''))
        elif stack and choose.random() < 0.7:
            events.append((time, stack.pop() + '_end', b''))
        else:
            events.append((time, 'tick', b''))
    return events + [(time + 10 + i, name + '_end', b'') for i, name in enumerate(reversed(stack))]


class Client(TspTest):
    def test_the_server(self):
        self.connect(sample('one-cpu'))
        self.assertEqual(self.call('checkHealth'), (200, {'status': 'UP'}))
        self.assertEqual(self.call('fetchIdentifier')[1]['productId'], 'ltt')
        self.assertEqual(self.call('fetchConfigurationSourceTypes'), (200, []))
        self.assertEqual(self.call('fetchConfiguration', 'x', 'y')[0], 404)

    def test_all_samples(self):
        """What the client gets of all samples equals `ltt stat` and `ltt dump`."""
        for trace in some_of(samples('ltt', 'ltt-extra')):
            experiment = self.connect(trace)
            uuid, stat = experiment['UUID'], json.loads(ltt('stat', '--json', trace).out)
            self.assertEqual(experiment['nbEvents'], stat['events'], trace)
            self.assertEqual(experiment['indexingStatus'], 'COMPLETED')
            outputs = {output['id']: output['type'] for output in self.call('experimentOutputs', uuid)[1]}
            self.assertEqual(outputs, {'spans': 'TIME_GRAPH', 'states': 'TIME_GRAPH', 'counters': 'TREE_TIME_XY', 'density': 'TREE_TIME_XY',
                                       'types': 'DATA_TREE', 'events': 'TABLE'})

            tree = self.model('fetchDataTree', uuid, 'types', {})
            counts = {entry['labels'][0]: int(entry['labels'][1]) for entry in tree['entries'] if 'parentId' in entry}
            self.assertEqual(counts, {name: n for name, n in stat['by_event'].items() if n > 0}, trace)

            columns = [column['id'] for column in self.model('fetchTableColumns', uuid, 'events', {})]
            table = self.model('fetchTableLines', uuid, 'events', {
                'requested_table_index': 0, 'requested_table_count': 10000, 'requested_table_column_ids': columns})
            events = as_json(ltt('dump', '--format=json', trace).out)
            self.assertEqual(table['size'], len(events))
            self.assertEqual([[cell['content'] for cell in line['cells']][:2] for line in table['lines']],
                             [['%d.%09d' % divmod(time_ns(event), 10 ** 9), event['tracefile']] for event in events[:10000]], trace)
            self.assertEqual([line['cells'][4]['content'] for line in table['lines']],
                             [event['event'] for event in events[:10000]])
            self.client.communicate()
            self.server.end()

    def test_traces_and_the_experiment(self):
        """The client closes, opens and combines the traces of the server; a path opens no other trace."""
        experiment = self.connect(sample('one-cpu'), sample('sparse-cpus'))
        first, second = experiment['traces']
        total = [json.loads(ltt('stat', '--json', sample(name)).out)['events'] for name in ('one-cpu', 'sparse-cpus')]
        self.assertEqual([first['nbEvents'], second['nbEvents']], total)
        self.assertEqual(self.call('deleteTrace', first['UUID'])[0], 409)
        self.assertEqual(self.call('deleteExperiment', experiment['UUID'])[0], 200)
        self.assertEqual(self.call('fetchExperiments'), (200, []))
        self.assertEqual(self.call('experimentOutputs', experiment['UUID'])[0], 404)
        self.assertEqual(self.call('deleteTrace', first['UUID'])[0], 200)
        self.assertEqual(self.call('fetchTrace', first['UUID'])[0], 404)
        self.assertEqual([trace['UUID'] for trace in self.call('fetchTraces')[1]], [second['UUID']])
        for uri in (sample('every-type'), '/etc/passwd', sample('one-cpu') + '/cpu/0', os.path.dirname(sample('one-cpu')), '', '/'):
            self.assertEqual(self.call('openTrace', {'uri': uri, 'name': 'x'})[0], 404, uri)
        self.assertEqual(self.call('openTrace', {'name': 'x'})[0], 400)
        both = [first['UUID'], second['UUID']]
        self.assertEqual(self.call('createExperiment', {'name': 'x', 'traces': both})[0], 400)
        status, opened = self.call('openTrace', {'uri': os.path.join(sample('one-cpu'), '.'), 'name': 'x'})
        self.assertEqual((status, opened), (200, first))
        for wrong in ([], both[:1], both + both[:1], ['x', 'y']):
            self.assertEqual(self.call('createExperiment', {'name': 'x', 'traces': wrong})[0], 400)
        status, created = self.call('createExperiment', {'name': '<both>', 'traces': both})
        self.assertEqual((status, created['name'], created['nbEvents']), (200, '<both>', sum(total)))
        self.assertEqual(self.call('fetchExperiment', created['UUID']), (200, created))

    def test_windows(self):
        """At random windows bins equal `ltt stat --interval`, and states equal the spans of `ltt sql`."""
        path, choose = self.path('trace'), random.Random(1)
        events = make_events(1, 20000)
        small_trace.write(path, DESCRIPTION, {'cpu/0': [events[at:at + 3000] for at in range(0, len(events), 3000)]}, block_size=65536)
        rows = as_json(ltt('sql', '--format', 'json', path, 'SELECT time, dur, name FROM spans').out)
        spans = [(row['time'], row['time'] + row['dur'], row['name']) for row in rows]
        times = sorted(time for time, _, _ in events)
        experiment = self.connect(path)
        uuid, start, end = experiment['UUID'], experiment['start'], experiment['end']
        entries = self.model('fetchTimeGraphTree', uuid, 'spans', {})['entries']
        rows = [entry['id'] for entry in entries if entry['hasData'] and entry['labels'][0].startswith('depth')]
        self.assertEqual(len(rows), 4)
        for _ in range(100):
            width = choose.randrange(200, 400 * ((end - start) // 262144 + 1))
            first = choose.randrange(start, end - width)
            window = {'requested_timerange': {'start': first, 'end': first + width - 1, 'nbTimes': 200}}
            series, = self.model('fetchXY', uuid, 'density', {**window, 'requested_items': [1]})['series']
            edges = series['xValues'] + [first + width]
            self.assertEqual(series['yValues'], [bisect_left(times, high) - bisect_left(times, low) for low, high in zip(edges, edges[1:])])
            states = [state for row in self.model('fetchTimeGraphStates', uuid, 'spans', {**window, 'requested_items': rows})['rows']
                      for state in row['states']]
            got = Counter((state['start'], min(state['end'], first + width), state['label']) for state in states
                          if (state['end'] - state['start']) * 200 >= width and 'spans' not in state['label'])
            wanted = Counter((low, min(high, first + width), name) for low, high, name in spans
                             if low < first + width and high >= first and (min(high, first + width) - low) * 200 >= width)
            self.assertEqual(wanted - got, Counter())

    def test_lines_of_the_table(self):
        """Lines come by index and by time from all places of a trace."""
        path, choose, events = self.path('trace'), random.Random(2), make_events(2, 20000)
        small_trace.write(path, DESCRIPTION, {'cpu/0': [events[at:at + 3000] for at in range(0, len(events), 3000)]}, block_size=65536)
        uuid = self.connect(path)['UUID']
        shown = [['%d.%09d' % divmod(time, 10 ** 9), 'f.' + name] for time, name, _ in events]

        def lines(**where):
            table = self.model('fetchTableLines', uuid, 'events', {**where, 'requested_table_count': 5, 'requested_table_column_ids': [0, 4]})
            self.assertEqual([line['index'] for line in table['lines']],
                             list(range(table['lowIndex'], table['lowIndex'] + len(table['lines']))))
            return table['lowIndex'], [[cell['content'] for cell in line['cells']] for line in table['lines']]

        for index in [0, len(events) - 1, len(events)] + [choose.randrange(len(events)) for _ in range(100)]:
            self.assertEqual(lines(requested_table_index=index), (index, shown[index:index + 5]))
            time = events[min(index, len(events) - 1)][0] - choose.choice((0, 1))
            first = sum(other < time for other, _, _ in events)
            self.assertEqual(lines(requested_times=[time]), (first, shown[first:first + 5]))

    def test_tooltips(self):
        path = self.path('trace')
        small_trace.write(path, DESCRIPTION, {'cpu/0': [[(1000, 'a_begin', b''), (3000, 'b_begin', b''), (5000, 'b_end', b''),
                                                         (9000, 'a_end', b'')]]})
        uuid = self.connect(path)['UUID']
        outer, inner = [entry['id'] for entry in self.model('fetchTimeGraphTree', uuid, 'spans', {})['entries']
                        if entry['labels'][0].startswith('depth')]

        def tooltip(entry, time, start, duration):
            return self.model('fetchTimeGraphTooltip', uuid, 'spans', {
                'requested_items': [entry], 'requested_times': [time],
                'requested_element': {'elementType': 'STATE', 'time': start, 'duration': duration}})

        self.assertEqual(tooltip(inner, 4000, 3000, 2000), {'Name': 'f.b', 'Start': '0.000003000', 'Duration': '2000 ns', 'State': 'finished'})
        self.assertEqual(tooltip(outer, 4000, 1000, 8000)['Name'], 'f.a')
        self.assertEqual(tooltip(inner, 7000, 7000, 1), {})

    def test_bookmarks_are_annotations(self):
        trace = os.path.join(SOURCE, 'tests/data/bookmarks/one-cpu')
        uuid = self.connect(trace)['UUID']
        self.assertEqual(self.model('fetchMarkerSets', uuid), [])
        self.assertEqual(self.model('fetchAnnotationsCategories', uuid, 'spans'), {'annotationCategories': ['Bookmarks']})
        found = self.model('fetchAnnotations', uuid, 'spans', {})['annotations']['Bookmarks']
        self.assertEqual([(mark['time'], mark['duration'], mark['label']) for mark in found],
                         [(1050000000145000000, 0, 'slow'), (1050000000144300000, 100000, 'opened')])
        styles = self.model('fetchStyles', uuid, 'spans', {})['styles']
        self.assertIn(found[0]['style']['parentKey'], styles)
        self.assertEqual(self.model('fetchTimeGraphArrows', uuid, 'spans', {}), [])

    def test_malformed_requests(self):
        experiment = self.connect(sample('one-cpu'))
        states = '%stsp/api/experiments/%s/outputs/timeGraph/spans/states' % (self.server.path, experiment['UUID'])
        for body in (b'{', b'[]', b'1', b'{"parameters":{"requested_items":[1e999]}}', b'{"parameters":{"requested_items":[NaN]}}',
                     b'{"parameters":{"requested_items":["1"]}}', b'{"parameters":{"requested_items":[9223372036854775808]}}',
                     b'{"parameters":{"requested_timerange":{"start":2,"end":1}}}', b'\xff', b'[' * 100000, b'\0',
                     b'{"parameters":{"requested_timerange":{"nbTimes":0}}}', b'{"parameters":{"requested_items":[[1]]}}'):
            status, _, text = self.server.send('POST', states, body)
            self.assertEqual(status, 400, body)
            self.assertIn('title', json.loads(text))
        for body in (b'', b'{}', b'{"parameters":1}', b'{"parameters":{"requested_items":[-1,-9223372036854775808,9223372036854775807,65535]}}',
                     b'{"parameters":{"requested_timerange":{"start":-5,"end":-1}}}',
                     b'{"parameters":{"requested_timerange":{"start":9223372036854775807,"end":9223372036854775807}}}',
                     b'{"parameters":{"requested_items":[%s]}}' % b','.join(b'%d' % (n << 16) for n in range(50000))):
            self.assertEqual(self.server.send('POST', states, body)[0], 200, body[:80])
        self.assertEqual(self.server.send('POST', states, b' ' * (1 << 20) + b'{}')[0], 413)
        self.assertEqual(self.server.send('PUT', states, b'{}')[0], 405)
        for path in ('', 'x', 'traces/', 'traces/x', 'traces/../../etc', 'experiments/x/outputs', 'health/x', '/' * 1000):
            self.assertEqual(self.server.send('GET', self.server.path + 'tsp/api/' + path, b'')[0], 404, path)

    def test_origins(self):
        """A page inside VS Code may use the protocol, and nothing else; pages of sites may not."""
        server = self.view(sample('one-cpu'))
        webview = {'Origin': 'vscode-webview://0abc'}
        status, headers, _ = server.request(server.path + 'tsp/api/traces', **webview)
        self.assertEqual((status, headers['Access-Control-Allow-Origin']), (200, webview['Origin']))
        status, headers, _ = server.request(server.path + 'tsp/api/traces', 'OPTIONS', **webview)
        self.assertEqual((status, headers['Access-Control-Allow-Headers']), (204, 'Accept, Content-Type'))
        for path in ('', 'api/trace', 'tsp', 'tsp/apix', '../tsp/api/traces'):
            self.assertEqual(server.request(server.path + path, **webview)[0], 403, path)
        self.assertEqual(server.request('/0123/tsp/api/traces', **webview)[0], 403)
        for origin in ('http://vscode-webview.example', 'null', 'https://localhost', 'vscode-webview.example://x', 'http://localhost:1'):
            status, headers, _ = server.request(server.path + 'tsp/api/traces', Origin=origin)
            self.assertEqual(status, 403, origin)
            self.assertNotIn('Access-Control-Allow-Origin', headers)
        self.assertEqual(server.request(server.path + 'tsp/api/traces', Host='ltt.example')[0], 403)
