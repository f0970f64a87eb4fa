"""install.py - puts files where they belong, and takes them away again.

Not SCons' own Install: that remembers what it has installed and would leave alone a file that
somebody else has overwritten meanwhile. Here a file is always written anew, beside its place and
then renamed over it, so that a running program keeps the library that it has mapped. Modes do not
depend on the umask.
"""
import errno
import glob
import os
import shutil
import subprocess
from collections import namedtuple

LINKER_CONF = '/etc/ld.so.conf'

# `path`: where it belongs. `source`: the file that is copied there, or None for a symbolic link,
# whose text is `link`.
Item = namedtuple('Item', 'path source link', defaults=[None])


def place(item, destdir):
    return os.path.join(destdir, item.path.lstrip('/')) if destdir else item.path


def make_folder(path):
    if os.path.lexists(path) and not os.path.isdir(path):
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), path)
    if not os.path.isdir(path):
        make_folder(os.path.dirname(path))
        os.mkdir(path)
        os.chmod(path, 0o755)


def put(item, path):
    aside = '%s.new-%d' % (path, os.getpid())
    make_folder(os.path.dirname(path))
    try:
        if item.source is None:
            os.symlink(item.link, aside)
        else:
            shutil.copyfile(item.source, aside)
            os.chmod(aside, 0o755 if os.access(item.source, os.X_OK) else 0o644)
        os.rename(aside, path)
    except BaseException:
        if os.path.lexists(aside):
            os.remove(aside)
        raise


def said(error):
    return 'scons: %s: could not be changed: %s' % (error.filename, error.strerror)


def install(items, destdir, quiet=False):
    """Returns None, or what went wrong."""
    try:
        for item in items:
            path = place(item, destdir)
            if not quiet:
                print('  INSTALL %s' % path)
            put(item, path)
    except OSError as error:
        return said(error)
    return None


def linker_folders(conf):
    """The folders in which the dynamic linker looks for libraries, as ldconfig(8) reads them."""
    found = ['/lib', '/usr/lib', '/lib64', '/usr/lib64'] if conf == LINKER_CONF else []
    try:
        with open(conf, encoding='utf-8', errors='replace') as file:
            lines = [line.split('#')[0].strip() for line in file]
    except OSError:
        return found
    for line in lines:
        if line.split(maxsplit=1)[:1] == ['include']:
            for pattern in line.split()[1:]:
                for name in sorted(glob.glob(os.path.join(os.path.dirname(conf), pattern))):
                    found += linker_folders(name)
        elif line:
            found.append(os.path.normpath(line))
    return found


def refresh_linker(libdir, conf=LINKER_CONF, ldconfig=None):
    """The dynamic linker finds a library by its cache: brings that up to date, or says what to do."""
    if libdir not in linker_folders(conf):
        print('scons: the dynamic linker does not search %s: set LD_LIBRARY_PATH=%s, or name the folder in '
              '/etc/ld.so.conf.d and run ldconfig' % (libdir, libdir))
        return
    path = os.pathsep.join((os.environ.get('PATH', ''), '/usr/sbin', '/sbin'))
    command = ldconfig or shutil.which('ldconfig', path=path)
    if command and os.geteuid() == 0 and subprocess.run([command], check=False).returncode == 0:
        print('  LDCONFIG')
    else:
        print('scons: run ldconfig as root, so that programs find the libraries in %s' % libdir)


def uninstall(items, destdir, folders):
    """Takes away the files, and those of the folders that are then empty. Returns as install()."""
    try:
        for item in items:
            path = place(item, destdir)
            if os.path.lexists(path):
                print('  REMOVE  %s' % path)
                os.remove(path)
        for folder in sorted(folders, key=len, reverse=True):
            folder = place(Item(folder, None), destdir)
            if os.path.isdir(folder) and not os.listdir(folder):
                os.rmdir(folder)
    except OSError as error:
        return said(error)
    return None
