"""What the control files of a kernel recording say of the machine, beside /proc and the events."""
import re
import shutil
import signal
import subprocess
import sys
import unittest

from kernel_case import GETPPID, Kernel
from recording import program


def interrupts():
    """The text after the counts of /proc/interrupts, by number."""
    with open('/proc/interrupts', encoding='ascii') as file:
        n_cpus = len(file.readline().split())
        lines = [line.split(None, n_cpus + 1) for line in file]
    return {int(words[0][:-1]): ' '.join(words[-1].split()) for words in lines
            if re.fullmatch(r'[0-9]+:', words[0]) and len(words) == n_cpus + 2}


class Machine(Kernel):
    def control(self, event):
        return [event['data'] for event in self.events('--all', '--event=' + event)]

    def test_interrupts(self):
        """Each interrupt of the recording has its name."""
        expected = interrupts()
        process = self.start('--kernel=irq', '--kernel-buffer=16M')
        process.send_signal(signal.SIGINT)
        self.assertIn(process.wait(60), (0, 1))
        self.assertEqual(interrupts(), expected)
        named = {data['number']: data for data in self.control('interrupts.interrupt') if data['number'] < 1 << 31}
        self.assertEqual({number: ' '.join([*data['controller'].split(), *data['name'].split()]) for number, data in named.items()},
                         expected)
        for event in self.events('--event=core.irq_entry'):
            self.assertIn(event['data']['irq_id'], named)

    def test_processes(self):
        """Processes that exist at the start have the parents of /proc, later ones those of their fork."""
        with subprocess.Popen(['sh', '-c', 'echo; cat; exit 0'], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as shell:
            shell.stdout.readline()
            process = self.start('--kernel=sched', '--kernel-buffer=16M')
            later = subprocess.Popen(['sh', '-c', 'cat; exit 0'], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
            stats = {later.pid: self.parent(later.pid), shell.pid: self.parent(shell.pid)}
            later.communicate()
            shell.communicate()
            process.send_signal(signal.SIGINT)
            self.assertIn(process.wait(60), (0, 1))
        self.check()
        parents = {data['pid']: data['ppid'] for data in self.control('processes.process')}
        self.assertEqual(parents[shell.pid], stats[shell.pid])
        self.assertNotIn(later.pid, parents)
        forks = {data['child_pid']: event['pid'] for event in self.events('--event=core.process_fork') for data in [event['data']]}
        self.assertEqual(forks[later.pid], stats[later.pid])
        ends = {event['tid'] for event in self.events('--event=sched.sched_process_exit')}
        self.assertLessEqual({shell.pid, later.pid}, ends)

    def names(self, *words):
        """Records, beside an idle thread with a name of its own. Returns: the names of threads, and the id of the idle one"""
        idle = """import ctypes, threading
def rest():
    ctypes.CDLL(None).prctl(15, b'idle-thread', 0, 0, 0)
    print(threading.get_native_id(), flush=True)
    threading.Event().wait()
threading.Thread(target=rest, daemon=True).start()
input()"""
        with subprocess.Popen([sys.executable, '-c', idle], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
            tid = int(other.stdout.readline())
            shutil.rmtree(self.trace, ignore_errors=True)
            self.record(*words, '--kernel-buffer=16M', '--', program('bracket'), '-t', '2', '-n', '50')
            other.communicate(b'\n')
        self.check()
        return {data['tid']: data['name'] for data in self.control('threads.name')}, tid

    def test_names(self):
        """Names of threads outside of the recording belong to the state of the machine."""
        sets = '--kernel=' + GETPPID
        names, idle = self.names(sets)
        self.assertEqual(names[idle], 'idle-thread')
        for options in (('--only-program',), ('--only-program', '--no-machine'), ('--no-machine',)):
            with self.subTest(options=options):
                names, idle = self.names(sets, *options)
                self.assertNotIn(idle, names)
                tids = {event['tid'] for event in self.events()}
                self.assertLessEqual(set(names), tids)
                self.assertLessEqual({'bracket-0', 'bracket-1'}, set(names.values()))

    def test_names_of_threads_that_have_events(self):
        """Without the machine, but of all processes: each thread is named at its first event, also if it is older than the recording."""
        busy = "import ctypes, os, threading\ndef run():\n ctypes.CDLL(None).prctl(15, b'busy-thread', 0, 0, 0)\n " \
               "print(threading.get_native_id(), flush=True)\n while True: os.getppid()\n" \
               "threading.Thread(target=run, daemon=True).start()\ninput()"
        with subprocess.Popen([sys.executable, '-c', busy], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
            tid = int(other.stdout.readline())
            self.record('--kernel=' + GETPPID, '--no-machine', '--kernel-buffer=16M', '--', 'sleep', '0.05')
            other.communicate(b'\n')
        self.check()
        self.assertEqual([data['name'] for data in self.control('threads.name') if data['tid'] == tid], ['busy-thread'])
        first = min(event['time'] for event in self.events() if event['tid'] == tid)
        self.assertLessEqual(self.events('--all', '--event=threads.name', '--filter', 'data.tid == %d' % tid)[0]['time'], first)

    @staticmethod
    def parent(pid):
        with open('/proc/%d/stat' % pid, encoding='ascii') as file:
            return int(file.read().rpartition(') ')[2].split()[1])


if __name__ == '__main__':
    unittest.main()
