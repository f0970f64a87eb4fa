"""No two files of the probe use each other's functions, neither directly nor through others."""
import collections
import glob
import os
import subprocess
import unittest

import recording


def symbols(path):
    """(defined, used): names of functions and variables of an object file."""
    defined, used = set(), set()
    for line in subprocess.run(['nm', path], stdout=subprocess.PIPE, check=True, text=True).stdout.splitlines():
        *_, kind, name = line.split()
        if kind in 'TBDRCV':
            defined.add(name)
        elif kind == 'U':
            used.add(name)
    return defined, used


def uses(objects):
    """{file: files whose functions it uses}, of the paths of object files."""
    found = {os.path.basename(path).split('.')[0]: symbols(path) for path in objects}
    owner = {name: file for file, (defined, _) in found.items() for name in defined}
    return {file: {owner[name] for name in used if name in owner} - {file} for file, (_, used) in found.items()}


def reached(graph, start):
    seen, queue = set(), collections.deque([start])
    while queue:
        for file in graph[queue.popleft()] - seen:
            seen.add(file)
            queue.append(file)
    return seen


class Circles(unittest.TestCase):
    def test_there_are_none(self):
        objects = [path for path in glob.glob(os.path.join(recording.USE, 'obj/libltt/probe/*.os'))
                   if os.path.exists(os.path.join(recording.SOURCE, 'libltt/probe', os.path.basename(path)[:-3] + '.c'))]
        if not objects:
            self.skipTest('the objects are not here')
        graph = uses(objects)
        self.assertIn('process', graph['attach'])
        self.assertEqual([file for file in graph if file in reached(graph, file)], [])


if __name__ == '__main__':
    unittest.main()
