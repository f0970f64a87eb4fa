"""The text of a print expression (`ltt:print`) is bounded in proportion to the event (doc/format.md, 12)."""
import struct
from xml.sax.saxutils import quoteattr

from command import CommandTest, ltt
from small_trace import write

DESCRIPTION = ('<facility name="f"><event name="e" ltt:print=%s><struct><field name="a"><uint size="4"/></field>'
               '<field name="b"><uint size="4"/></field><field name="c"><uint size="4"/></field></struct></event>'
               '</facility>')
CONSTANT, FACTOR, PAYLOAD = 4096, 16, 12
ROOM = CONSTANT + FACTOR * PAYLOAD


def flags(name, between):
    """An expression that writes 32 letters, with @between between them."""
    return '__print_flags(REC->%s, "%s"%s)' % (name, between, ''.join(',{0x%x,"Y"}' % (1 << bit) for bit in range(32)))


class PrintBound(CommandTest):
    def dump(self, name, expression, *options):
        path = self.path(name)
        payload = struct.pack('<III', 2 ** 32 - 1, 1, 2)
        write(path, DESCRIPTION % quoteattr(expression), {'cpu/0': [[(1000, 'e', payload), (1001, 'e', payload)]]})
        result = ltt('dump', *options, path)
        self.assertEqual((result.status, result.err), (0, ''))
        lines = result.out.splitlines()
        self.assertEqual([line.split('f.e  ')[0] for line in lines],
                         ['0.000001000  cpu/0  ', '0.000001001  cpu/0  '])
        first, second = [line.split('f.e  ', 1)[1] for line in lines]
        self.assertEqual(first, second)
        return first

    def test_at_the_bound_and_above(self):
        fields = '  a=4294967295 b=1 c=2'
        text = 'Y'.join(['D' * 100] * 31)
        text = 'Y' + text + 'Y'
        start = 'x' * (ROOM - len(text))
        for count, expected in ((0, start + text), (1, 'x' + start + text[:-1] + '...'),
                                (2, 'xx' + start + text[:-2] + '...')):
            printed = self.dump('bound-%d' % count,
                                '"%s%%s", %s' % ('x' * count + start, flags('a', 'D' * 100)))
            self.assertEqual(printed, expected + fields)

    def test_a_long_text_between_flags(self):
        between = 'D' * 60000
        printed = self.dump('long', '"%%s", %s' % flags('a', between))
        self.assertEqual(printed, 'Y' + between[:ROOM - 1] + '...  a=4294967295 b=1 c=2')

    def test_fields_share_the_bound(self):
        """Those that follow the cut are shown without the expression."""
        between = 'D' * 1000
        printed = self.dump('fields', '"%%s %%s b=%%x c=%%08x", %s, %s, REC->b, REC->c'
                            % (flags('a', between), flags('b', between)), '--fields=a,b,c')
        text = ('Y' + between) * 5
        self.assertEqual(printed, 'a=%s... b=1 c=2' % text[:ROOM])
        printed = self.dump('order', '"%%s %%08x %%08x", %s, REC->b, REC->c' % flags('a', 'D' * 100), '--fields=a,b,c')
        self.assertEqual(printed, 'a=%s b=00000001 c=00000002' % ('Y' + ('D' * 100 + 'Y') * 31))
