"""png.py - the pixels of a picture."""
import itertools
import struct
import zlib


class Png:
    """The pixels of a file with 8 bits a channel and no interlacing."""

    def __init__(self, data):
        assert data[:8] == b'\x89PNG\r\n\x1a\n'
        at, packed = 8, b''
        while at < len(data):
            length, kind = struct.unpack('>I4s', data[at:at + 8])
            body = data[at + 8:at + 8 + length]
            if kind == b'IHDR':
                self.width, self.height, depth, colours, _, _, interlace = struct.unpack('>IIBBBBB', body)
                assert (depth, colours, interlace) == (8, 2, 0)
            packed += body if kind == b'IDAT' else b''
            at += length + 12
        self.lines = self.unfilter(zlib.decompress(packed))

    def unfilter(self, raw):
        lines, above, stride = [], bytes(3 * self.width), 3 * self.width + 1
        for y in range(self.height):
            above = UNFILTERS[raw[y * stride]](raw[y * stride + 1:(y + 1) * stride], above)
            lines.append(above)
        return lines

    def at(self, x, y):
        return tuple(self.lines[y][3 * x:3 * x + 3])


def unfilter_left(line, _):
    out = bytearray(line)
    for channel in range(3):
        out[channel::3] = bytes(byte & 255 for byte in itertools.accumulate(line[channel::3]))
    return out


def unfilter_up(line, above):
    return bytes((byte + up) & 255 for byte, up in zip(line, above))


def unfilter_average(line, above):
    out = bytearray(3)
    for i, (byte, up) in enumerate(zip(line, above)):
        out.append((byte + (out[i] + up) // 2) & 255)
    return out[3:]


def unfilter_paeth(line, above):
    out = bytearray(3)
    for i, (byte, up, corner) in enumerate(zip(line, above, bytes(3) + above)):
        left = out[i]
        to_left, to_up, to_corner = abs(up - corner), abs(left - corner), abs(left + up - 2 * corner)
        if to_left <= to_up and to_left <= to_corner:
            out.append((byte + left) & 255)
        else:
            out.append((byte + (up if to_up <= to_corner else corner)) & 255)
    return out[3:]


# By the number of the filter of a line.
UNFILTERS = (lambda line, _: line, unfilter_left, unfilter_up, unfilter_average, unfilter_paeth)
