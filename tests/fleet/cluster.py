"""cluster.py - a Spark cluster of machines that are network namespaces: a master, workers and a driver.

    with Cluster(PYTHON, 2) as cluster:
        cluster.driver('script.py', cluster.master, cluster.driver_address, ...)

Needs root. The processes of a machine see only their own loopback and the network of the cluster, as
machines do; they share the file system.
"""
import glob
import os
import shutil
import signal
import subprocess
import tempfile
import time
import uuid

PORT = 7077


def can_make():
    """Whether network namespaces can be made."""
    return os.geteuid() == 0 and shutil.which('ip') is not None and subprocess.run(['ip', 'netns', 'list'], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                                check=False).returncode == 0


def ip(*words):
    subprocess.run(['ip', *words], check=True, stdout=subprocess.DEVNULL)


class Cluster:
    def __init__(self, python, n_workers, environment):
        self.python = python
        self.environment = environment
        self.name = 'ltt%s' % uuid.uuid4().hex[:6]
        self.names = ['%s-%d' % (self.name, i) for i in range(n_workers + 2)]  # master, driver, workers
        self.addresses = ['10.77.0.%d' % (i + 1) for i in range(n_workers + 2)]
        self.master = 'spark://%s:%d' % (self.addresses[0], PORT)
        self.driver_address = self.addresses[1]
        self.processes = []
        self.folder = tempfile.TemporaryDirectory(prefix='ltt-cluster-')

    def __enter__(self):
        try:
            self.connect()
            package = subprocess.run([self.python, '-c', 'import os, pyspark; print(os.path.dirname(pyspark.__file__))'],
                                     check=True, stdout=subprocess.PIPE, text=True).stdout
            package = package.strip()
            self.environment = dict(self.environment, SPARK_HOME=package, SPARK_SCALA_VERSION='2.13')
            jars = os.path.join(package, 'jars/*')
            self.start(0, 'java', '-cp', jars, 'org.apache.spark.deploy.master.Master', '--host', self.addresses[0],
                       '--port', str(PORT), '--webui-port', '0')
            self.await_text(0, 'Starting Spark master')
            for index in range(2, len(self.names)):
                self.start(index, 'java', '-Xmx256m', '-cp', jars, 'org.apache.spark.deploy.worker.Worker', '--host', self.addresses[index],
                           '--cores', '1', '--memory', '1g', '--webui-port', '0', '--work-dir', self.folder.name, self.master)
            for index in range(2, len(self.names)):
                self.await_text(index, 'Successfully registered with master')
        except BaseException:
            self.__exit__()
            raise
        return self

    def connect(self):
        """A bridge in the namespace of the master, with a pair of interfaces to each other machine."""
        for name in self.names:
            ip('netns', 'add', name)
            ip('-n', name, 'link', 'set', 'lo', 'up')
        first = self.names[0]
        ip('-n', first, 'link', 'add', 'bridge0', 'type', 'bridge')
        ip('-n', first, 'link', 'set', 'bridge0', 'up')
        ip('-n', first, 'address', 'add', self.addresses[0] + '/24', 'dev', 'bridge0')
        for index in range(1, len(self.names)):
            ip('-n', first, 'link', 'add', 'to%d' % index, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', self.names[index])
            ip('-n', first, 'link', 'set', 'to%d' % index, 'master', 'bridge0', 'up')
            ip('-n', self.names[index], 'link', 'set', 'eth0', 'up')
            ip('-n', self.names[index], 'address', 'add', self.addresses[index] + '/24', 'dev', 'eth0')

    def words(self, index, words):
        settings = dict(self.environment, SPARK_LOCAL_IP=self.addresses[index], SPARK_LOCAL_HOSTNAME=self.addresses[index],
                        SPARK_LOCAL_DIRS=self.folder.name)
        return ['ip', 'netns', 'exec', self.names[index], 'env', *('%s=%s' % item for item in settings.items()), *words]

    def log(self, index):
        return os.path.join(self.folder.name, 'log-%d' % index)

    def start(self, index, *words):
        with open(self.log(index), 'w', encoding='utf-8') as log:
            self.processes.append(subprocess.Popen(  # pylint: disable=consider-using-with
                self.words(index, words), stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True))

    def await_text(self, index, text):
        """Waits until a process has written a text."""
        while True:
            with open(self.log(index), encoding='utf-8') as log:
                said = log.read()
            if text in said:
                return
            if self.processes[max(index - 1, 0)].poll() is not None:
                raise AssertionError(said)
            time.sleep(0.05)

    def driver(self, *words):
        """Starts a Python program on the machine of the driver."""
        return subprocess.Popen(self.words(1, [self.python, *words]), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, encoding='utf-8')

    def processes_of(self, index):
        """The process ids of a machine."""
        done = subprocess.run(['ip', 'netns', 'pids', self.names[index]], check=True, stdout=subprocess.PIPE, text=True)
        return [int(word) for word in done.stdout.split()]

    def kill(self, index, text=None):
        """Kills the processes of a machine, or those whose command line has a text. Returns: how many"""
        number = 0
        for process in self.processes_of(index):
            try:
                with open('/proc/%d/cmdline' % process, 'rb') as file:
                    command = file.read().decode('utf-8', 'replace')
                if text is None or text in command:
                    os.kill(process, signal.SIGKILL)
                    number += 1
            except (ProcessLookupError, FileNotFoundError):
                pass
        return number

    def __exit__(self, *unused):
        existing = set(map(os.path.basename, glob.glob('/run/netns/' + self.name + '-*')))
        for index, name in enumerate(self.names):
            if name in existing:
                self.kill(index)
        for process in self.processes:
            process.wait()
        for name in existing:
            ip('netns', 'delete', name)
        self.folder.cleanup()
