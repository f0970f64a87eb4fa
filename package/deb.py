"""deb.py - Debian packages of what is installed, by dpkg's own tools and nothing else.

package/debian has what a source package has under debian/: control, changelog, copyright, a list
PACKAGE.install of each package's files in the manner of dh_install ("PATTERN" or "PATTERN FOLDER"),
and not-installed. A file goes to the first package, in the order of control, that asks for it;
one that nobody asks for is a mistake.

The same files give the same packages, byte for byte: all times are that of the last entry of the
changelog, or SOURCE_DATE_EPOCH.

For another architecture (tests/cross/deb.sh), the environment has the variables of dpkg-architecture, and
LTT_SYSROOT, a folder with the libraries of that architecture and the database of dpkg for them.
"""
import fnmatch
import glob
import gzip
import hashlib
import os
import re
import shutil
import subprocess

from install import install

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'debian')
SYSROOT = os.environ.get('LTT_SYSROOT')
ADMINDIR = ['--admindir=' + SYSROOT + '/var/lib/dpkg'] if SYSROOT else []


class Failure(Exception):
    pass


def call(*words, **options):
    """Returns what a program prints."""
    try:
        done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False, **options)
    except FileNotFoundError as error:
        raise Failure('%s: no such program; the Debian package dpkg-dev has it' % words[0]) from error
    if done.returncode != 0:
        raise Failure('%s: status %d\n%s' % (' '.join(words), done.returncode, done.stderr))
    return done.stdout


def read(name):
    with open(os.path.join(HERE, name), encoding='utf-8') as file:
        return file.read()


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, 'w', encoding='utf-8') as file:
        file.write(text)
    os.chmod(path, 0o644)


def zipped(path, data):
    """gzip without name and time."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, 'wb') as raw, gzip.GzipFile('', 'wb', 9, raw, 0) as file:
        file.write(data)
    os.chmod(path, 0o644)


def packages():
    return re.findall(r'(?m)^Package: (\S+)', read('control'))


def architecture(variable):
    return call('dpkg-architecture', '-qDEB_' + variable).strip()


def library_folder():
    return '/usr/lib/' + architecture('HOST_MULTIARCH')


def strip(*words):
    own = architecture('HOST_GNU_TYPE') == architecture('BUILD_GNU_TYPE')
    call('strip' if own else architecture('HOST_GNU_TYPE') + '-strip', *words)


def development_packages(modules):
    """The packages that have the pkg-config files of some modules."""
    files = [os.path.join(call('pkg-config', '--variable=pcfiledir', module).strip(), module + '.pc')
             for module in modules]
    return sorted({line.split(':')[0] for line in call('dpkg-query', *ADMINDIR, '-S', *files).splitlines()})


def share_out(items):
    """Package -> its items, each at its place."""
    rules = [(package, *(line.split() + [None])[:2]) for package in packages()
             for line in read(package + '.install').splitlines()]
    left_out = read('not-installed').split()
    shares = {package: [] for package in packages()}
    for item in items:
        path = item.path.lstrip('/')
        if path in left_out:
            continue
        for package, pattern, folder in rules:
            if fnmatch.fnmatchcase(path, pattern):
                goes_to = os.path.join(folder, os.path.basename(path)) if folder else path
                shares[package].append(item._replace(path='/' + goes_to))
                break
        else:
            raise Failure('%s: no package has it; say in package/debian/*.install where it belongs' % path)
    return shares


def is_elf(path):
    with open(path, 'rb') as file:
        return file.read(4) == b'\x7fELF'


def finish_files(root):
    """Manual pages are compressed, programs and libraries have no symbols for debuggers."""
    for path in sorted(glob.glob(root + '/usr/share/man/*/*')):
        with open(path, 'rb') as page:
            zipped(path + '.gz', page.read())
        os.remove(path)
    for folder, _, names in os.walk(root):
        for path in sorted(os.path.join(folder, name) for name in names):
            if path.endswith('.a'):
                strip('--strip-debug', '--remove-section=.comment', '--enable-deterministic-archives', path)
            elif not os.path.islink(path) and is_elf(path):
                strip('--strip-unneeded', '--remove-section=.comment', '--remove-section=.note', path)
                os.chmod(path, 0o755 if '/bin/' in path or '/libexec/' in path else 0o644)


def sums(root):
    lines = []
    for folder, folders, names in os.walk(root):
        folders.sort()
        for path in (os.path.join(folder, name) for name in sorted(names)):
            if not os.path.islink(path) and not path.startswith(root + '/DEBIAN/'):
                with open(path, 'rb') as file:
                    lines.append('%s  %s\n' % (hashlib.md5(file.read()).hexdigest(), os.path.relpath(path, root)))
    return ''.join(lines)


def libraries(root):
    """Name and number of the shared libraries of a package."""
    return [re.match(r'(.*)\.so\.(\d+)$', os.path.basename(path)).groups()
            for path in sorted(glob.glob(root + '/usr/lib/*/lib*.so.*')) if os.path.islink(path)]


def describe(package, root, work, extra):
    """What goes under DEBIAN/ and to share/doc."""
    documents = '%s/usr/share/doc/%s' % (root, package)
    write(documents + '/copyright', read('copyright'))
    zipped(documents + '/changelog.gz', read('changelog').encode('utf-8'))
    os.makedirs(root + '/DEBIAN')
    variables = os.path.join(work, package + '.substvars')
    write(variables, ''.join('%s=%s\n' % pair for pair in extra.items()))
    objects = [path for path in sorted(glob.glob(root + '/usr/bin/*') + glob.glob(root + '/usr/libexec/*/*') + glob.glob(root + '/usr/lib/*/*.so.*') +
                                       glob.glob(root + '/usr/lib/python3/dist-packages/*/*.so'))
               if not os.path.islink(path)]
    if objects:
        # Libraries of the packages before it are found in their folders.
        folders = ['-l' + folder for folder in sorted(glob.glob(work + '/*/usr/lib/*'))]
        if SYSROOT:
            folders.append('-l' + SYSROOT + library_folder())
        call('dpkg-shlibdeps', *ADMINDIR, '-T' + variables, '--ignore-missing-info', *folders, *objects, cwd=work)
    version = call('dpkg-parsechangelog', '-SVersion', cwd=work).strip()
    for name, number in libraries(root):
        write(root + '/DEBIAN/shlibs', '%s %s %s (>= %s)\n' % (name, number, package, version))
        write(root + '/DEBIAN/triggers', 'activate-noawait ldconfig\n')
    write(root + '/DEBIAN/md5sums', sums(root))
    call('dpkg-gencontrol', '-p' + package, '-P' + root, '-T' + variables, '-f' + os.path.join(work, 'files'), cwd=work)
    os.chmod(root + '/DEBIAN/control', 0o644)


def set_times(root, time):
    for folder, _, names in os.walk(root, topdown=False):
        for name in names + ['']:
            os.utime(os.path.join(folder, name), (time, time), follow_symlinks=False)
        os.chmod(folder, 0o755)


def build(items, modules, out):
    """Makes the packages in folder `out`, which is emptied first.

    items: what `scons install` installs with PREFIX=/usr and library_folder()
    modules: the pkg-config modules that programs with libltt need
    Returns: None, or what went wrong
    """
    work = os.path.join(os.path.abspath(out), 'work')
    try:
        shutil.rmtree(out, ignore_errors=True)
        os.makedirs(work)
        shutil.copytree(HERE, os.path.join(work, 'debian'))
        shares = share_out(items)
        extra = {'pkg-config:Depends': ', '.join(development_packages(modules))}
        time = os.environ.get('SOURCE_DATE_EPOCH') or call('dpkg-parsechangelog', '-STimestamp', cwd=work).strip()
        for package, share in shares.items():
            root = os.path.join(work, package)
            problem = install(share, root, quiet=True)
            if problem:
                raise Failure(problem)
            finish_files(root)
            describe(package, root, work, extra)
            set_times(root, int(time))
            made = call('dpkg-deb', '--root-owner-group', '--threads-max=1', '-Zxz', '--build', root, out,
                        env=dict(os.environ, SOURCE_DATE_EPOCH=time))
            print('  DEB     %s' % re.search(r"in '(.*)'", made)[1])
    except (Failure, OSError, ValueError) as error:
        return 'scons deb: %s' % error
    finally:
        shutil.rmtree(work, ignore_errors=True)
    return None
