"""emulate.py - replace each program of a build for another machine by a script that runs it under an emulator.

usage: emulate.py EMULATOR FOLDER      EMULATOR: a command, such as "qemu-s390x -L ROOT"

bin/ltt becomes bin/.ltt, so that programs still find each other by their paths. Unit programs of libltt/session are removed: the
emulator has not all system calls of the kernel that they test, and they expect the bytes of a little-endian machine.
"""
import os
import stat
import sys

ELF_BIG_ENDIAN = 2
NOT_EMULATED = 'test-session'
ELF_EXECUTABLES = (2, 3)  # ET_EXEC, ET_DYN


def elf_machine(path):
    """The machine number of an executable, or None."""
    with open(path, 'rb') as file:
        start = file.read(20)
    if start[:4] != b'\x7fELF':
        return None
    order = 'big' if start[5] == ELF_BIG_ENDIAN else 'little'
    kind, machine = (int.from_bytes(start[at:at + 2], order) for at in (16, 18))
    return machine if kind in ELF_EXECUTABLES else None


def programs(root):
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if name != 'obj']
        for name in names:
            path = os.path.join(folder, name)
            if not os.path.islink(path) and '.so' not in name and os.stat(path).st_mode & stat.S_IXUSR:
                yield path


def main():
    emulator, root = sys.argv[1:]
    own = elf_machine(os.path.realpath(sys.executable))
    for path in list(programs(root)):
        if elf_machine(path) in (None, own):
            continue
        folder, name = os.path.split(os.path.abspath(path))
        if name.startswith(NOT_EMULATED):
            os.remove(path)
            continue
        os.rename(path, os.path.join(folder, '.' + name))
        with open(path, 'w', encoding='utf-8') as script:
            script.write('#!/bin/sh\nexec %s -0 "$0" %s/.%s "$@"\n' % (emulator, folder, name))
        os.chmod(path, 0o755)


if __name__ == '__main__':
    main()
