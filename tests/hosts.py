"""hosts.py - traces of machines with names."""
import os
import re

from command import CommandTest, ltt, sample


class HostTest(CommandTest):
    def of_host(self, name, boot='', source='tracer', to=None):
        """A copy of a sample, with the name of its machine."""
        trace = self.copy(sample(source), to or name)
        self.change_system(trace, lambda text: re.sub(' node_name="[^"]*"', '', text).replace(
            ' ltt_block_size', ' node_name="%s" boot_id="%s" ltt_block_size' % (name, boot), 1))
        return trace

    def change_system(self, trace, change):
        path = os.path.join(trace, 'info/system.xml')
        with open(path, encoding='utf-8') as file:
            text = file.read()
        with open(path, 'w', encoding='utf-8') as file:
            file.write(change(text))

    def merge(self, *traces, name='merged'):
        self.assert_done(ltt('merge', '-o', self.path(name), *traces))
        return self.path(name)

    def each_way(self, *traces):
        """The traces read together, and the merged trace."""
        return (traces, (self.merge(*traces),))
