"""Packs the module that SCons builds; pyproject.toml has the rest.

The environment variable LTT_BUILT names a build directory that has the module. Without it, SCons is run.
"""
import os
import shutil
import subprocess

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


class CopyModule(build_ext):
    """There is one description of how the module is built: python/SConscript."""

    def build_extension(self, ext):
        built = os.environ.get('LTT_BUILT')
        if built is None:
            subprocess.run(['scons', '-Q', 'build/python'], cwd=ROOT, check=True)
            built = os.path.join(ROOT, 'build')
        path = self.get_ext_fullpath(ext.name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        shutil.copyfile(os.path.join(built, 'python/ltt/_ltt.abi3.so'), path)
        subprocess.run(['strip', '--strip-unneeded', path], check=True)


setup(ext_modules=[Extension('ltt._ltt', [], py_limited_api=True)], cmdclass={'build_ext': CopyModule})
