"""install.py - puts files where they belong, and takes them away again.

Not SCons' own Install: that remembers what it has installed and would leave alone a file that
somebody else has overwritten meanwhile. Here a file is always written anew, beside its place and
then renamed over it, so that a running program keeps the library that it has mapped. Modes do not
depend on the umask.
"""
import errno
import os
import shutil
from collections import namedtuple

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
