#!/usr/bin/env python3
"""Prints revent.xml or revent_file.xml with the names that the kernel's headers have.

usage: python3 libltt/formats/revent/file/make_eventdefs.py revent|revent_file [FOLDER] > eventdefs/NAME.xml
       python3 libltt/formats/revent/file/make_eventdefs.py keys [FOLDER]

FOLDER holds linux/input.h and linux/input-event-codes.h, /usr/include as a rule; what is checked in is made of those
of Linux 7.2. "keys" prints the type "key" of eventdefs/qemu_replay.xml.

Of several names for one number the first label shows in output. So names of ranges (BTN_MOUSE is
where the buttons of mice begin) and names that the header gives to a name come behind the others.
"""
import os
import re
import sys

HEADERS = ('linux/input-event-codes.h', 'linux/input.h')
TYPES = {'SYN': 'marks where what belongs together ends', 'KEY': 'a key or button: value 1 pressed, 0 released, 2 repeated',
         'REL': 'a relative movement of an axis', 'ABS': 'the position of an axis',
         'MSC': 'what fits none of the others', 'SW': 'a switch', 'LED': 'a light of the device',
         'SND': 'a sound of the device', 'REP': 'repeating of keys', 'FF': 'a force feedback effect',
         'PWR': 'a power button', 'FF_STATUS': 'state of a force feedback effect'}
RANGES = {'BTN_MISC', 'BTN_MOUSE', 'BTN_JOYSTICK', 'BTN_GAMEPAD', 'BTN_DIGI', 'BTN_WHEEL', 'BTN_TRIGGER_HAPPY'}
# What is no code: bounds, and the values that ABS_SND_PROFILE has.
BOUNDS = re.compile(r'.*_(MAX|CNT|MIN|MIN_INTERESTING|MAX_EFFECTS)$|EV_VERSION|SND_PROFILE_\w+$')
PREFIXES = {'KEY': ('KEY_', 'BTN_'), 'FF': ('FF_',), 'EV': ('EV_',), 'BUS': ('BUS_',)}


def read_names(folder):
    """Name -> (number, whether the name is an alias), in the order of the headers."""
    names = {}
    for header in HEADERS:
        with open(os.path.join(folder, header), encoding='utf-8') as file:
            for name, value in re.findall(r'(?m)^#define\s+([A-Z]+_\w+)\s+(\w+)', file.read()):
                if value in names:
                    names[name] = (names[value][0], True)
                elif re.fullmatch(r'0x[0-9a-fA-F]+|\d+', value):
                    names[name] = (int(value, 0), name in RANGES)
    return names


def labels(kind, names):
    """(name, number) of the codes of a kind: "KEY", "FF_STATUS", "EV", "BUS"; as they stand in the enum."""
    prefixes = PREFIXES.get(kind, (kind + '_',))
    chosen = [(number, is_alias, name) for name, (number, is_alias) in names.items()
              if name.startswith(prefixes) and not BOUNDS.match(name) and not (kind == 'FF' and name.startswith('FF_STATUS'))]
    chosen.sort(key=lambda item: item[:2])
    return [(name, number) for number, _, name in chosen]


def enum(kind, indent, names, size=2):
    lines = ['<enum size="%d">' % size, *('  <label name="%s" value="%d"/>' % label for label in labels(kind, names)), '</enum>']
    return '\n'.join(' ' * indent + line for line in lines)


def field(name, kind, description):
    text = '      <field name="%s">\n' % name
    if description:
        text += '        <description>%s</description>\n' % description
    return text + '        %s\n      </field>\n' % kind


def event(name, description, fields):
    return '\n  <event name="%s">\n    <description>%s</description>\n    <struct>\n%s    </struct>\n  </event>\n' % (
        name, description, ''.join(field(*item) for item in fields))


def named_type(name, description, kind, names, size=2):
    return '\n  <type name="%s">\n    <description>%s</description>\n%s\n  </type>\n' % (
        name, description, enum(kind, 4, names, size))


def uint(size):
    return '<uint size="%d"/>' % size


def sint(size):
    return '<int size="%d"/>' % size


def ref(name):
    return '<typeref name="%s"/>' % name


def sequence(element):
    return '<sequence lengthsize="4">%s</sequence>' % element


DEVICE = ('device', sint(4), 'Number of the device, from 0')
VALUE = ('value', sint(4), '')


def make_revent(names):
    coded = [kind for kind in TYPES if labels(kind, names)]
    text = ''.join(named_type(kind.lower(), 'Codes of EV_%s' % kind, kind, names) for kind in coded)
    for kind, description in TYPES.items():
        code = ref(kind.lower()) if kind in coded else uint(2)
        text += event('EV_' + kind, 'EV_%s: %s' % (kind, description), [DEVICE, ('code', code, ''), VALUE])
    text += event('unknown', 'An event of a type that Linux has no name for',
                  [DEVICE, ('type', uint(2), ''), ('code', uint(2), ''), VALUE])
    text += named_type('ev', 'Types of events', 'EV', names)
    text += event('odd', 'An event whose bytes are not all told by the kinds above and its time',
                  [DEVICE, ('type', ref('ev'), ''), ('code', uint(2), ''), VALUE,
                   ('seconds', sint(8), 'As recorded; may be no time at all'), ('microseconds', sint(8), 'Likewise'),
                   ('pad', uint(4), 'The word behind the device, 0xdeadbeef as a rule')])
    return 'Events of input devices, with the names of the Linux kernel', text


def make_revent_file(names):
    text = ''.join(named_type(kind.lower(), description, kind, names) for kind, description in (
        ('EV', 'Types of events'), ('KEY', 'Codes of EV_KEY'), ('REL', 'Codes of EV_REL'), ('ABS', 'Codes of EV_ABS'),
        ('BUS', 'What a device is attached to')))
    text += event('header', 'How the recording begins', [
        ('layout', '<enum size="1">versioned headerless_20 headerless_24 headerless_28 headerless_32</enum>',
         'With a version, or by the bytes of an event in recordings from before there were versions'),
        ('version', uint(2), '0 where there is none'),
        ('mode', '<enum size="2">general gamepad</enum>', 'What was recorded: all devices, or one'),
        ('padding', '<array size="6">%s</array>' % uint(1), 'Bytes behind the mode')])
    text += event('devices', 'How many devices follow', [('count', uint(8), '')])
    text += event('device', 'A device', [
        ('path', '<string/>', ''), ('behind', sequence(uint(1)), 'Bytes of the path from a NUL on; none as a rule')])
    text += event('gamepad', 'The device of a gamepad recording', [
        ('bustype', ref('bus'), ''), ('vendor', uint(2), ''), ('product', uint(2), ''), ('version', uint(2), ''),
        ('name', '<string/>', ''), ('behind', sequence(uint(1)), 'Bytes of the name from a NUL on; none as a rule'),
        ('ev_bits', sequence(ref('ev')), 'Types of events that it has'), ('abs_bits', sequence(ref('abs')), 'Axes'),
        ('rel_bits', sequence(ref('rel')), 'Relative axes'), ('key_bits', sequence(ref('key')), 'Keys and buttons'),
        ('num_absinfo', uint(4), 'How many axes are described')])
    text += event('absinfo', 'An axis of the gamepad', [
        ('code', '<enum size="4">%s</enum>' % ''.join(
            '<label name="%s" value="%d"/>' % label for label in labels('ABS', names)), ''),
        *((name, sint(4), '') for name in ('value', 'minimum', 'maximum', 'fuzz', 'flat', 'resolution'))])
    text += event('stream', 'What stands before the events, from version 2 on', [
        ('events', uint(8), 'How many are counted'),
        *((name, uint(8), description) for name, description in (
            ('start_seconds', 'When the recording began; from version 3 on'), ('start_microseconds', ''),
            ('end_seconds', 'When it ended'), ('end_microseconds', '')))])
    text += event('bytes', 'What could not be told apart, in pieces', [
        ('offset', uint(8), 'Of the first of them in the file'), ('data', sequence(uint(1)), '')])
    text += event('end', 'The recording has been read to its end', [
        ('events', uint(8), 'How many events there are, counted or not')])
    return 'What a recording of revent holds besides events', text


def main():
    name = sys.argv[1]
    names = read_names(sys.argv[2] if len(sys.argv) > 2 else '/usr/include')
    if name == 'keys':
        print(named_type('key', "Linux's code of a key", 'KEY', names, 4).strip('\n'))
        return
    description, text = {'revent': make_revent, 'revent_file': make_revent_file}[name](names)
    print('<?xml version="1.0" encoding="UTF-8"?>\n<!--\n  %s.xml - recordings of revent (doc/revent.md). Made by libltt/formats/revent/file/make_eventdefs.py.\n-->' % name)
    role = ' xmlns:ltt="urn:ltt:view" ltt:role="bookkeeping"' if name.endswith('_file') else ''
    print('<facility name="%s"%s>\n  <description>%s</description>\n%s</facility>' % (name, role, description, text))


if __name__ == '__main__':
    main()
