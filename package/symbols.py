"""symbols.py - which functions the public headers declare: all that the shared library exports.

The version script is made of them, so that a function is exported by being declared in a public
header and in no other way. tests/data/symbols holds the list once more, to be changed on purpose.
"""
import re


def declared(text):
    """The names of the functions that a header declares, those defined inline left out."""
    text = re.sub(r'/\*.*?\*/', ' ', text, flags=re.DOTALL)
    text = re.sub(r'^[ \t]*#(?:\\\n|.)*$', '', text, flags=re.MULTILINE)
    bodies = 1
    while bodies:
        text, bodies = re.subn(r'\{[^{}]*\}', ';', text)
    names = []
    for statement in text.split(';'):
        if not re.search(r'\b(?:static|typedef)\b', statement):
            names += re.findall(r'\b(ltt_\w+)\s*\(', statement)[:1]
    return names


def version_script(version, headers):
    """A linker's version script that exports what some header files declare and hides the rest."""
    names = set()
    for header in headers:
        with open(header, encoding='utf-8') as file:
            names.update(declared(file.read()))
    return 'LTT_%s {\n\tglobal:\n%s\tlocal:\n\t\t*;\n};\n' % (
        version, ''.join('\t\t%s;\n' % name for name in sorted(names)))
