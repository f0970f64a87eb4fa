"""trace_bytes.py - traces as files of bytes and expected lines, for the makers of test traces.

Encodes events and blocks (doc/format.md, 3 and 4) and does not compute times: its callers pass the
expected lines, with times calculated by hand.
"""
import os
import shutil
import struct
import zlib


class Trace:
    """Collects files and expected lines, in one byte order and block size."""

    def __init__(self, name, order="<", block_size=256, arch_size="LP64", cpu=4, system=None,
                 **attributes):
        self.name, self.order, self.block_size = name, order, block_size
        self.files, self.lines, self.problems = {}, [], []
        settings = {"cpu": cpu, "arch_size": arch_size, "endian": "little" if order == "<" else "big",
                    "ltt_major_version": 2, "ltt_minor_version": 0, "ltt_block_size": block_size, **attributes}
        self.add("info/system.xml", system or "<system" + "".join(
            f'\n {key}="{value}"' for key, value in settings.items()) + ">\n</system>\n")

    def add(self, path, content):
        self.files[path] = content if isinstance(content, bytes) else content.encode()

    def pack(self, form, *values):
        return struct.pack(self.order + form, *values)

    def event(self, event_id, delta, payload=b""):
        return self.pack("HI", event_id, delta) + payload

    def stamp(self, event_id, delta, seconds, nanoseconds, cycles, block_id=None):
        """block_start 1, block_end 2, time_heartbeat 3 (without a block id)."""
        payload = self.pack("IIQ", seconds, nanoseconds, cycles)
        return self.event(event_id, delta, payload + (b"" if block_id is None else self.pack("I", block_id)))

    def load(self, delta, facility, canonical, base, checksum=None):
        checksum = zlib.crc32(canonical.encode()) if checksum is None else checksum
        self.checksum = checksum
        return self.event(0, delta, facility.encode() + b"\0" + self.pack("II", checksum, base))

    def block(self, *events, final=None, padding=b"\xee"):
        """The default of the final word is the offset of the last event."""
        body = b"".join(events)
        if final is None:
            final = len(body) - len(events[-1])
        assert len(body) <= self.block_size - 4
        return body.ljust(self.block_size - 4, padding) + self.pack("I", final)

    def facilities(self, *loads):
        """control/facilities with (name, canonical text, base code) each, one nanosecond apart."""
        now, blocks = 0, [self.stamp(1, 0, 1, 0, 0, 0)]
        self.expect("1.000000000", "control/facilities", "builtin.block_start", stamp(1, 0, 0, 0))
        for name, canonical, base in loads:
            now += 1
            blocks.append(self.load(now, name, canonical, base))
            self.expect(f"1.00000000{now}", "control/facilities", "builtin.facility_load",
                        f'{{"name":"{name}","checksum":{self.checksum},"base_code":{base}}}')
        now += 1
        self.add("control/facilities", self.block(*blocks, self.stamp(2, now, 1, now, now, 0)))
        self.expect(f"1.00000000{now}", "control/facilities", "builtin.block_end", stamp(1, now, now, 0))

    def expect(self, time, tracefile, event, data="{}", thread=None):
        who = '"pid":%d,"tid":%d,' % thread if thread else ""
        self.lines.append(f'{{"time":"{time}","tracefile":"{tracefile}","event":"{event}",'
                          f'{who}"data":{data}}}\n')

    def write(self, folder):
        shutil.rmtree(os.path.join(folder, self.name), ignore_errors=True)
        for path, content in self.files.items():
            path = os.path.join(folder, self.name, path)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "wb") as file:
                file.write(content)
        with open(os.path.join(folder, self.name + ".jsonl"), "w", encoding="utf-8") as file:
            file.writelines(self.lines)
        if self.problems:
            with open(os.path.join(folder, self.name + ".problems"), "w", encoding="utf-8") as file:
                file.writelines(f"{tracefile} {block} {byte}\n" for tracefile, block, byte in self.problems)


def stamp(seconds, nanoseconds, cycles, block_id=None):
    """The JSON of a time value."""
    text = f'{{"time":{{"seconds":{seconds},"nanoseconds":{nanoseconds}}},"cycle_count":{cycles}}}'
    return text if block_id is None else f'{{"timestamp":{text},"block_id":{block_id}}}'
