"""fetch.py - unpack, instrument and build source packages of Debian with libltt-probe."""
import glob
import os
import re
import shutil
import subprocess

import instrument

HERE = os.path.dirname(os.path.abspath(__file__))
PACKAGES = {'memcached': 'mc', 'nginx': 'ngx', 'redis': 'red'}


def run(*words, cwd=None, **options):
    done = subprocess.run(words, cwd=cwd, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          check=False, **options)
    if done.returncode != 0:
        raise RuntimeError('%s: status %d\n%s' % (' '.join(words), done.returncode,
                                                  done.stdout.decode('utf-8', 'replace')[-4000:]))


def source_entries():
    """The configured package sources, except security updates, as entries for source packages."""
    entries = []
    for path in glob.glob('/etc/apt/sources.list.d/*.sources'):
        with open(path, encoding='utf-8') as file:
            for entry in re.split(r'\n\s*\n', file.read()):
                lines = [line for line in entry.split('\n') if line and not line.startswith('#')]
                if any(re.match(r'URIs:.*debian\S*\s*$', line) for line in lines) and 'security' not in entry:
                    entries.append('\n'.join('Types: deb-src' if line.startswith('Types:') else line
                                             for line in lines))
    for path in ['/etc/apt/sources.list'] + glob.glob('/etc/apt/sources.list.d/*.list'):
        if not os.path.exists(path):
            continue
        with open(path, encoding='utf-8') as file:
            for line in file:
                words = re.match(r'deb\s+(\[[^]]*\]\s+)?(\S+)\s+(\S+)\s+(.*)', line)
                if words and words[2].rstrip('/').endswith('debian'):
                    entries.append('Types: deb-src\nURIs: %s\nSuites: %s\nComponents: %s'
                                   % (words[2], words[3], words[4]))
    return '\n\n'.join(entries) + '\n'


def download(folder):
    """Fetches and unpacks the sources. Does not change the configuration of the package manager."""
    apt = os.path.join(folder, 'apt')
    os.makedirs(os.path.join(apt, 'lists/partial'), exist_ok=True)
    with open(os.path.join(apt, 'servers.sources'), 'w', encoding='utf-8') as file:
        file.write(source_entries())
    options = ['-q', '-o', 'Dir::Etc::sourcelist=/dev/null', '-o', 'Dir::Etc::sourceparts=' + apt,
               '-o', 'Dir::State::lists=' + os.path.join(apt, 'lists'), '-o', 'APT::Sandbox::User=root']
    run('apt-get', *options, 'update')
    run('apt-get', *options, 'source', *PACKAGES, cwd=folder)


def unpacked(folder, package):
    found = [path for path in glob.glob(os.path.join(folder, package + '-*')) if os.path.isdir(path)]
    return found[0] if len(found) == 1 else None


class Servers:
    """The servers built from `folder`, with libraries and `ltt` of the build directory `use`."""

    def __init__(self, folder, use):
        self.folder, self.use = os.path.abspath(folder), os.path.abspath(use)
        self.ltt = os.path.join(self.use, 'bin/ltt')
        self.probe = os.path.join(self.use, 'lib/libltt-probe.a')
        self.jobs = '-j%d' % os.cpu_count()

    def build(self):
        os.makedirs(self.folder, exist_ok=True)
        if not all(unpacked(self.folder, package) for package in PACKAGES):
            download(self.folder)
        for package in PACKAGES:
            program = self.program(package)
            if not os.path.exists(program) or os.path.getmtime(program) < os.path.getmtime(self.probe):
                self.build_one(package)

    def program(self, package):
        return os.path.join(self.folder, 'built', package, {'memcached': 'memcached', 'nginx': 'objs/nginx',
                                                            'redis': 'src/redis-server'}[package])

    def build_one(self, package):
        place = os.path.join(self.folder, 'built', package)
        shutil.rmtree(place, ignore_errors=True)
        shutil.copytree(unpacked(self.folder, package), place, symlinks=True)
        facility = PACKAGES[package]
        run(self.ltt, 'compile', '--header', os.path.join(place, facility + '-trace.h'),
            os.path.join(HERE, package + '.xml'))
        getattr(instrument, package)(place)
        include = '-I%s -I%s' % (place, os.path.join(os.path.dirname(os.path.dirname(HERE)), 'libltt/include'))
        getattr(self, 'make_' + package)(place, include)

    def make_memcached(self, place, include):
        run('sh', './configure', '--disable-docs', cwd=place,
            env=dict(os.environ, CPPFLAGS=include, LIBS=self.probe + ' -lpthread'))
        run('make', self.jobs, 'memcached', cwd=place)

    def make_nginx(self, place, include):
        run('sh', './configure', '--without-http_rewrite_module', '--without-http_gzip_module',
            '--with-cc-opt=' + include, '--with-ld-opt=' + self.probe + ' -lpthread', cwd=place)
        run('make', self.jobs, cwd=place)

    def make_redis(self, place, include):
        # The makefile has these flags before the objects that need the library.
        run('make', self.jobs, 'MALLOC=libc', 'REDIS_CFLAGS=' + include,
            'REDIS_LDFLAGS=-Wl,--whole-archive %s -Wl,--no-whole-archive -lpthread' % self.probe, 'redis-server',
            cwd=os.path.join(place, 'src'))
