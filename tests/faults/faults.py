"""faults.py - let each system call of a command fail, one at a time, and see what the command does.

usage: faults.py [--build BUILD] [--command NAME] [--every N]

strace(1) runs each command once to count its calls, and then once for each call and errno, which it returns in place of the call's
result. Calls of the dynamic loader and of a start without work are left out. For each fault:

	- the command ends by itself, with status 0, 1 or 2, or, if there was no memory, by an abort of GLib with a message
	- a status that is not 0 comes with a message
	- status 0 means that the result is the one without the fault. Names of functions may be missing, with a note. A picture
	  may have another font, because fontconfig and Pango take one that they can read
	- status 2 means that nothing is left: neither a result nor a temporary file; a file that is changed in place is
	  the old or the new one. If only the report could not be written to standard output, the result is complete
	- after an abort there may be a temporary file or directory, whose name tells so, but nothing with the name of the
	  result, unless it is complete

The last line counts faults and what broke these rules. Exit status 1: something did.
"""
import argparse
import collections
import hashlib
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile

from tally import tally

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
DATA = os.path.join(SOURCE, 'tests/data')
LIMIT_S = 120

# Call -> errnos of its manual page that can occur for files that exist.
ERRORS = {
    'openat': ('EACCES', 'EMFILE', 'EIO'), 'read': ('EIO', 'EINTR'), 'pread64': ('EIO',), 'write': ('ENOSPC', 'EIO', 'EINTR'),
    'pwrite64': ('ENOSPC', 'EIO'), 'newfstatat': ('EIO', 'EACCES'), 'fstat': ('EIO',), 'statx': ('EIO',), 'getdents64': ('EIO',),
    'mkdir': ('ENOSPC', 'EACCES'), 'mkdirat': ('ENOSPC', 'EACCES'), 'rename': ('EIO', 'ENOSPC'), 'renameat2': ('EIO', 'EINVAL'),
    'renameat': ('EIO',), 'unlink': ('EIO',), 'unlinkat': ('EIO',), 'rmdir': ('EIO',), 'close': ('EIO',), 'fsync': ('EIO',),
    'ftruncate': ('EIO',), 'fallocate': ('ENOSPC', 'EOPNOTSUPP'), 'lseek': ('EINVAL',), 'copy_file_range': ('EXDEV', 'ENOSPC'),
    'sendfile': ('EINVAL',), 'linkat': ('EPERM',), 'fchmod': ('EPERM',), 'fcntl': ('EINVAL',), 'flock': ('EINTR',), 'dup': ('EMFILE',),
    'mmap': ('ENOMEM',), 'clone3': ('EAGAIN',), 'getcwd': ('ENOENT',), 'readlink': ('EIO',), 'pipe2': ('EMFILE',), 'statfs': ('EIO',)}
# GLib aborts if there is no memory, as documented, and Pango if it gets no thread.
MEMORY = ('mmap',)
# What `ltt sync` takes for messages.
SYNC_RULE = 'rpc.send:id=rpc.receive:id'

# Name -> words, and the result: a path, or None for standard output. {out} is the result in a new folder.
COMMANDS = {
    'dump': (['dump', '-j', '1', '{every-type}'], None),
    'stat': (['stat', '-j1', '--json', '{every-type}'], None),
    'check': (['check', '{every-type}'], None),
    'info': (['info', '{every-type}'], None),
    'sql': (['sql', '{every-type}', 'SELECT count(*), min(time) FROM events'], None),
    'save': (['sql', '-o', '{out}.sqlite', '{every-type}'], '{out}.sqlite'),
    'pack': (['pack', '-o', '{out}.tar.gz', '{every-type}'], '{out}.tar.gz'),
    'unpack': (['unpack', '-o', '{out}', '{packed}'], '{out}'),
    'cut': (['cut', '-o', '{out}', '--to', '+0.1', '{every-type}'], '{out}'),
    'merge': (['merge', '-o', '{out}', '{every-type}', '{one-cpu}'], '{out}'),
    'export': (['export', '--to', 'ctf', '-o', '{out}', '{every-type}'], '{out}'),
    'chrome': (['export', '--to', 'chrome', '-o', '{out}.json', '{every-type}'], '{out}.json'),
    'import': (['import', '-o', '{out}', '{perf}'], '{out}'),
    'bookmark': (['bookmark', 'add', '--at', '+0', '{copy}', 'here'], '{copy}'),
    'compile': (['compile', '--header', '{out}.h', os.path.join(SOURCE, 'eventdefs/core.xml')], '{out}.h'),
    'latency': (['latency', 'core.irq_entry', 'core.irq_exit', '{flight-recorder}'], None),
    'states': (['stat', '-j1', '--states', '{imported}'], None),
    'flame': (['flame', '--folded', '-o', '-', '{mapped}'], None),
    'flame-file': (['flame', '-o', '{out}.svg', '{imported}'], '{out}.svg'),
    'compare': (['compare', '{one-cpu}', '{every-type}'], None),
    'repair': (['check', '--repair', '-o', '{out}', '{damage}'], '{out}'),
    'redact': (['pack', '-o', '{out}.tar.gz', '--redact', 'host', '{every-type}'], '{out}.tar.gz'),
    'cut-every': (['cut', '-o', '{out}', '--every', '0.0003s', '{sparse-cpus}'], '{out}'),
    'cut-names': (['cut', '-o', '{out}', '--every', '300ms', '{imported}'], '{out}'),
    'split': (['export', '--to', 'csv', '--split', '-o', '{out}', '{one-cpu}'], '{out}'),
    'perf': (['export', '--to', 'perf', '-o', '{out}.data', '{imported}'], '{out}.data'),
    'sync': (['sync', '--json', '--by', SYNC_RULE, '{client}', '{server}'], None),
    'merge-sync': (['merge', '-o', '{out}', '--sync', SYNC_RULE, '{client}', '{server}'], '{out}'),
    'page': (['view', '--no-cache', '--html', '{out}.html', '{every-type}'], '{out}.html'),
    'picture': (['view', '--no-cache', '--png', '{out}.png', '{every-type}'], '{out}.png'),
    'cached': (['view', '--cache', '{out}.cache', '--png', '{out}.png', '{every-type}'], '{out}.png'),
}
# They need the page of `ltt view`.
PAGES = ('page',)
# Without a file on this machine they show addresses instead of names, and say so.
NAMING = ('flame', 'flame-file')
PICTURES = ('picture', 'cached')

# What a command that was aborted may leave.
TEMPORARY = re.compile(r'^(result[\w.]*\.part\d+|.*\.[A-Za-z0-9]{6}|\.goutputstream-.*|ltt-\w+-\w{6})$')

Ended = collections.namedtuple('Ended', 'status out err left digest')


def digest(path):
    """Of a file or a directory with all that is in it; None if it is not there."""
    if not os.path.lexists(path):
        return None
    total = hashlib.sha256()
    for folder, folders, names in os.walk(path):
        folders.sort()
        for name in sorted(names):
            total.update(os.path.relpath(os.path.join(folder, name), path).encode())
            with open(os.path.join(folder, name), 'rb') as file:
                total.update(file.read())
    if os.path.isfile(path):
        with open(path, 'rb') as file:
            total.update(file.read())
    return total.hexdigest()


class Faults:
    def __init__(self, build, folder):
        self.ltt, self.folder = os.path.join(build, 'bin/ltt'), folder
        self.inputs = {name: os.path.join(DATA, 'ltt', name) for name in ('every-type', 'one-cpu', 'flight-recorder', 'sparse-cpus')}
        self.inputs.update({name: os.path.join(DATA, 'sync', name) for name in ('client', 'server')}, damage=DATA + '/ltt-damaged/damage')
        self.inputs.update(perf=os.path.join(folder, 'perf.data'), packed=os.path.join(folder, 'packed.tar.gz'),
                           imported=os.path.join(folder, 'imported'), mapped=os.path.join(folder, 'mapped'))
        self.made = {'{packed}': ['pack', '-o', self.inputs['packed'], self.inputs['every-type']],
                     '{imported}': ['import', '-o', self.inputs['imported'], DATA + '/perf/file-callgraph.data'],
                     '{mapped}': ['record', '--preload=functions', '-o', self.inputs['mapped'], '--', os.path.join(build, 'probe/instrumented')]}

    def run(self, words, result, *options, environment=None):
        """Runs a command in a new folder, under strace if there are options for it."""
        strace = ['strace', '-f', '-qq', *options] if options else []
        for word in words:
            if word in self.made:
                subprocess.run([self.ltt, *self.made.pop(word)], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        work = tempfile.mkdtemp(dir=self.folder)
        places = dict(self.inputs, out=os.path.join(work, 'result'), copy=os.path.join(work, 'copy'))
        if any('{copy}' in word for word in words):
            shutil.copytree(self.inputs['one-cpu'], places['copy'])
        made = result and result.format(**places)
        before = set(os.listdir(work))
        try:
            run = subprocess.run([*strace, self.ltt, *[word.format(**places) for word in words]], cwd=work,
                                 stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=LIMIT_S, check=False,
                                 env=dict(os.environ, TMPDIR=work, LC_ALL='C.UTF-8', **(environment or {})))
            left = sorted(set(os.listdir(work)) - before - {'result.cache'})
            return Ended(run.returncode, run.stdout, run.stderr.decode('utf-8', 'replace'), left, digest(made) if made else run.stdout)
        except subprocess.TimeoutExpired:
            return Ended('hangs', b'', '', [], None)
        finally:
            shutil.rmtree(work, ignore_errors=True)

    def calls(self, words, log, result=None):
        """How often a command makes each call."""
        self.run(words, result, '-o', log)
        with open(log, encoding='utf-8', errors='replace') as file:
            return collections.Counter(match[1] for match in (re.match(r'\d+ +(\w+)\(', line) for line in file) if match)

    @staticmethod
    def judge_abort(ended, plain):
        half = [name for name in ended.left if not TEMPORARY.match(name)]
        if half and ended.digest != plain.digest:
            return 'ends with %s and leaves %s: %s' % (ended.status, ' '.join(half), ended.err[-300:])
        return None

    def judge(self, name, call, ended, plain):
        """What a command did wrong after a fault, or None."""
        changes = '{copy}' in (COMMANDS[name][1] or '')
        if ended.status in (-signal.SIGTRAP, -signal.SIGABRT) and (call in MEMORY or name in PICTURES) and ended.err:
            return None if changes else self.judge_abort(ended, plain)
        if (ended.status, ended.digest) == (plain.status, plain.digest):
            return None
        if ended.status not in (0, 1, 2):
            return 'ends with %s: %s' % (ended.status, ended.err[-300:])
        if ended.status == 0 and ended.digest != plain.digest and not (
                name in PICTURES or (name in NAMING and 'no name of a function' in ended.err)):
            return 'another result with status 0: %s' % ended.err
        if ended.status != 0 and not ended.err.strip():
            return 'status %d without a message' % ended.status
        if ended.status == 2 and ended.left == plain.left and ended.digest == plain.digest and 'standard output' in ended.err:
            return None
        if ended.status == 2 and ended.left and not changes:
            return 'leaves %s: %s' % (' '.join(ended.left), ended.err)
        if ended.status == 2 and changes and ended.digest not in (plain.digest, digest(self.inputs['one-cpu'])):
            return 'changes the trace and fails: ' + ended.err
        return None

    def try_command(self, name, every, first=0, of=ERRORS):
        """Yields (call, number, errno, what went wrong or None) for each fault, or for every N-th one. of: the calls that fail"""
        words, result = COMMANDS[name]
        start = self.calls([words[0], '--help'], os.path.join(self.folder, 'start'))
        counts = self.calls(words, os.path.join(self.folder, 'log'), result)
        plain = self.run(words, result)
        if plain.status not in (0, 1):
            raise RuntimeError('%s: status %s\n%s' % (name, plain.status, plain.err))
        faults = [(call, number, error) for call in sorted(counts) if call in of
                  for number in range(start[call] + 1, counts[call] + 1) for error in ERRORS[call]]
        for call, number, error in faults[first::every]:
            ended = self.run(words, result, '-e', 'inject=%s:error=%s:when=%d' % (call, error, number), '-e', 'trace=' + call, '-e', 'signal=none', '-o', '/dev/null')
            yield call, number, error, self.judge(name, call, ended, plain)


def commands(build):
    """The names of those that can be tried."""
    has_page = os.path.exists(os.path.join(build, 'share/ltt/viewer/viewer.js'))
    return [name for name in COMMANDS if has_page or name not in PAGES]


def make_recording(path):
    """A recording of perf from the data of the tests."""
    found = sorted(os.path.join(DATA, 'perf', name) for name in os.listdir(os.path.join(DATA, 'perf')) if name.endswith('.data'))
    shutil.copy(found[0], path)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('--build', default='build')
    parser.add_argument('--command', choices=sorted(COMMANDS))
    parser.add_argument('--every', type=int, default=1, help='try every N-th fault')
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix='ltt-faults-') as folder:
        make_recording(os.path.join(folder, 'perf.data'))
        faults = Faults(os.path.abspath(options.build), folder)
        tried = (('%s: %s number %d, %s' % (name, call, number, error), wrong)
                 for name in ([options.command] if options.command else commands(options.build))
                 for call, number, error, wrong in faults.try_command(name, options.every))
        status = tally('faults', tried)
    sys.exit(status)


if __name__ == '__main__':
    main()
