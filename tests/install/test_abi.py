"""The shared libraries have the binary interface that programs were linked with (doc/abi.md)."""
import gzip
import os
import re
import shutil
import unittest

import abi
from command import CommandTest

USE = os.environ.get('LTT_USE', os.path.join(abi.SOURCE, 'build'))


@unittest.skipUnless(shutil.which('abidiff'), 'needs the Debian package abigail-tools')
class Interface(CommandTest):
    def differences(self, name, change=lambda text: text):
        """Those of a library from its recorded description, which is changed first."""
        with open(self.path('now.abi'), 'wb') as file:
            file.write(abi.describe(os.path.join(USE, 'lib', name + '.so')))
        return abi.differences(self.recorded(name, change), self.path('now.abi'))

    def recorded(self, name, change):
        """The path of a recorded description, unpacked and changed."""
        with gzip.open(abi.path_of(name), 'rt', encoding='utf-8') as file:
            text = file.read()
        changed = change(text)
        with open(self.path(name + '.abi'), 'w', encoding='utf-8') as file:
            file.write(changed)
        return self.path(name + '.abi')

    def test_nothing_is_removed_or_changed(self):
        for name in abi.LIBRARIES:
            with self.subTest(library=name):
                self.assertEqual(self.differences(name), '')

    def test_a_removed_function_is_found(self):
        def add_function(text):
            return re.sub(r"(<elf-symbol name=')ltt_trace_open(' [^>]*/>)", r'\g<0>\n    \1ltt_trace_gone\2', text, count=1)

        found = self.differences('libltt', add_function)
        self.assertIn('ltt_trace_gone', found)

    def test_a_changed_struct_is_found(self):
        """The size of the events that the reader gives out, as if it had been another one."""
        def shrink(text):
            return re.sub(r"(<class-decl name='LttEvent' size-in-bits=')(\d+)",
                          lambda match: match[1] + str(int(match[2]) - 64), text, count=1)

        found = self.differences('libltt', shrink)
        self.assertIn('LttEvent', found)
        self.assertIn('type size changed', found)

    def test_what_the_header_puts_into_programs_is_found(self):
        def widen(text):
            return re.sub(r"(<class-decl name='ltt_probe_facility' size-in-bits=')(\d+)",
                          lambda match: match[1] + str(int(match[2]) + 64), text, count=1)

        self.assertIn('ltt_probe_facility', self.differences('libltt-probe', widen))
