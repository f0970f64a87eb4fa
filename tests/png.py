"""png.py - the pixels of a picture."""
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
            kind, line = raw[y * stride], bytearray(raw[y * stride + 1:(y + 1) * stride])
            if kind == 2:
                line = bytearray((a + b) & 255 for a, b in zip(line, above))
            elif kind:
                for i, byte in enumerate(line):
                    left, up, corner = (line[i - 3], above[i], above[i - 3]) if i > 2 else (0, above[i], 0)
                    line[i] = byte + {1: left, 3: (left + up) // 2, 4: paeth(left, up, corner)}[kind] & 255
            lines.append(line)
            above = line
        return lines

    def at(self, x, y):
        return tuple(self.lines[y][3 * x:3 * x + 3])


def paeth(left, up, corner):
    guess = left + up - corner
    return min((left, up, corner), key=lambda value: abs(guess - value))
