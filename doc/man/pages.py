"""pages.py - makes the manual pages: plain mdoc(7) and five directives.

    @VERSION@       the version
    @include FILE   text that several pages share; it can contain directives
    @source FILE    a source file, for use within .Bd -literal
    @commands       a list of the commands that have a page
    @headers        a list of the public headers of libltt, each with the summary in its first line

The directives avoid copies of text that exists elsewhere, such as a tested program or the summary of a header.
"""
import glob
import os
import re

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE = os.path.dirname(os.path.dirname(HERE))


def read(path):
    with open(os.path.join(HERE, path), encoding='utf-8') as file:
        return file.read()


def escape(text):
    """Escapes text for mdoc."""
    return re.sub(r"(?m)^(?=[.'])", r'\\&', text.replace('\\', '\\e'))


def commands(_):
    """Sorted by name."""
    for path in sorted(glob.glob(os.path.join(HERE, 'ltt-*.1'))):
        about = re.search(r'(?m)^\.Nd (.+)', read(path))[1]
        yield '.It Xr %s 1\n%s\n' % (os.path.basename(path)[:-2], about)


def headers(_):
    for path in sorted(glob.glob(os.path.join(SOURCE, 'libltt/include/ltt/ltt-*.h'))):
        comment = re.match(r'/\*(.*?)\*/', read(path), re.DOTALL)[1]
        comment = ' '.join(line.strip(' *') for line in comment.splitlines())
        name, about = re.match(r'(\S+) - (.*?)\.(?: |$)', comment.strip()).groups()
        if not name.startswith('ltt-probe'):
            yield '.It Pa %s\n%s.\n' % (name, escape(re.sub(r' ?\(doc/[^)]*\)', '', about)))


def expand(path):
    return re.sub(r'(?m)^@(\w+)(?: (.+))?\n', lambda match: DIRECTIVES[match[1]](match[2]), read(path))


DIRECTIVES = {
    'include': expand,
    'source': lambda path: escape(read(path)),
    'commands': lambda _: ''.join(commands(_)),
    'headers': lambda _: ''.join(headers(_)),
}


def make(path, version):
    """The text of a page."""
    return expand(path).replace('@VERSION@', version)
