"""The examples of the manual pages and of `ltt help` work."""
import glob
import os
import re
import shutil
import sys

from command import BUILD, ENVIRONMENT, SOURCE, CommandTest, ltt, run, sample
from install.installed import HERE, installation

sys.path.insert(0, os.path.join(SOURCE, 'doc/man'))
import pages  # noqa: E402  pylint: disable=wrong-import-position
from new_page import command_summaries  # noqa: E402  pylint: disable=wrong-import-position

LTT = os.path.join(BUILD, 'bin/ltt')

# Examples that need a program that is running or being recorded; tests/cli tests these commands.
NOT_RUN = ('ltt attach', 'ltt snapshot', 'kill -USR1', 'ltt view', 'ltt record --preload')

# Names of traces and of programs that examples use.
TRACES = {'TRACE': 'sparse-cpus', 'trace': 'one-cpu', 'client': 'one-cpu', 'server': 'crashed', 'before': 'one-cpu',
          'after': 'one-cpu', 'run1': 'one-cpu', 'run2': 'one-cpu'}
# The message of a command about a name that the trace does not have.
NOT_IN_THE_SAMPLE = 'no such (event|field|label)|has such a field|no event ends another one|no events that determine the states|no such CPU|is after the end of'
PROGRAMS = {'bin/memcached': 'exec "$SAMPLES/http-server" 5 2', './server': 'exec "$SAMPLES/http-server" 5 2',
            'bin/less': 'exec cat', 'bin/jq': 'exec tail -n 3'}


def page_examples(text):
    """The commands in the section EXAMPLES of a page: a text for each display."""
    section = re.search(r'(?ms)^\.Sh EXAMPLES\n(.*?)(?=^\.Sh)', text)
    displays = re.findall(r'(?ms)^\.Bd -literal -offset indent\n(.*?)^\.Ed|^\.Dl (.*?)$', section[1]) if section else []
    for block, line in displays:
        yield (block or line).replace('\\e', '\\').replace('\\(dq', '"')


def help_examples(text):
    """The commands in a help text, which are indented by two spaces."""
    return re.findall(r'(?m)^  ((?:ltt|ssh) .*)$', text)


class Examples(CommandTest):
    def prepare(self, example):
        """Makes a folder with the files that the example reads; returns its path."""
        folder = self.path('work')
        shutil.rmtree(folder, ignore_errors=True)
        for name in ('bin', 'other'):
            os.makedirs(os.path.join(folder, name))
        for name, text in PROGRAMS.items():
            path = os.path.join(folder, name)
            if name.startswith('./') and name not in example:
                continue
            with open(path, 'w', encoding='utf-8') as file:
                file.write('#!/bin/sh\n%s\n' % text)
            os.chmod(path, 0o755)
        for name, trace in TRACES.items():
            first = re.search(r'(-o )?(?<![\w./-])%s(?![\w.-])' % name, example)
            if first and not first[1] and not example.startswith('ssh'):
                shutil.copytree(os.path.join(SOURCE, 'tests/data/sync', name) if 'rpc.send' in example else sample(trace),
                                os.path.join(folder, name))
        if example.startswith('ssh'):
            shutil.copytree(sample('one-cpu'), os.path.join(folder, 'other/trace'))
        if 'unpack trace.tar.gz' in example:
            ltt('pack', sample('one-cpu'), '-o', os.path.join(folder, 'trace.tar.gz'))
        shutil.copy(os.path.join(SOURCE, 'tests/data/revent/v2-general.revent'), os.path.join(folder, 'recording.revent'))
        shutil.copy(os.path.join(HERE, 'greeting.xml'), os.path.join(folder, 'myapp.xml'))
        with open(os.path.join(HERE, 'traced.c'), encoding='utf-8') as source, \
                open(os.path.join(folder, 'myapp.c'), 'w', encoding='utf-8') as file:
            file.write(source.read().replace('greeting-trace.h', 'myapp-trace.h'))
        with open(os.path.join(folder, 'report.c'), 'w', encoding='utf-8') as file:
            file.write('#include "myapp-events.h"\nint main(void) { return ltt_offline_greeting.n_events == 0; }\n')
        with open(os.path.join(folder, 'secret'), 'wb') as file:
            file.write(bytes(32))
        os.symlink(os.path.join(SOURCE, 'eventdefs'), os.path.join(folder, 'eventdefs'))
        return folder

    def check(self, example):
        folder = self.prepare(example)
        if 'bookmark remove' in example and 'add' not in example:
            for name in 'ab':
                ltt('bookmark', 'add', '--at', '+0', os.path.join(folder, 'TRACE'), name)
        path = os.pathsep.join([folder + '/bin', os.path.join(BUILD, 'bin'), os.path.join(SOURCE, 'tests/stand-ins'),
                                ENVIRONMENT['PATH']])
        result = run('env', 'PATH=' + path, 'SAMPLES=' + os.path.join(BUILD, 'samples'),
                     'LTT_OTHER_MACHINE=' + os.path.join(folder, 'other'),
                     'PKG_CONFIG_PATH=%s/lib/pkgconfig' % installation(), 'bash', '-e', '-o', 'pipefail', '-c', example,
                     cwd=folder)
        said = '$ %s\n%s%s' % (example, result.out, result.err)
        if result.status == 1 or (result.status == 2 and 'has such a field' in result.err):  # the example names events of another program than the sample trace has
            for line in result.err.splitlines():
                self.assertRegex(line, NOT_IN_THE_SAMPLE, said)
        else:
            self.assertEqual(result.status, 0, said)

    def run_all(self, examples):
        for example in examples:
            if not any(words in example for words in NOT_RUN):
                with self.subTest(example=example):
                    self.check(example)

    def test_pages(self):
        examples = []
        for path in sorted(glob.glob(os.path.join(SOURCE, 'doc/man/ltt*.[1-8]'))):
            examples += page_examples(pages.make(path, '0'))
        self.assertGreater(len(examples), 20)
        self.run_all(examples)

    def test_help(self):
        examples = [example for command in command_summaries(LTT) for example in help_examples(ltt('help', command).out)]
        self.assertGreater(len(examples), 30)
        self.run_all(examples)
