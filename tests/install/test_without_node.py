"""A source tree, and an installation, without the page of `ltt view`, which node makes."""
import os
import shutil

from command import BUILD, SOURCE, CommandTest, run, sample


class WithoutNode(CommandTest):
    def test_build(self):
        """The build says once what is missing, and makes everything else."""
        tree = self.path('tree')
        shutil.copytree(SOURCE, tree, symlinks=True, ignore=lambda folder, names: [
            name for name in names if name in ('.git', 'node_modules') or (folder, name) == (SOURCE, 'build')])
        result = run('scons', '-Q', '--cache-disable', '--dry-run', 'build/share', 'build/libexec', cwd=tree, timeout=600)
        self.assertEqual((result.status, result.err), (0, ''))
        self.assertEqual([line for line in result.lines if 'viewer' in line],
                         ['viewer: not built, `ltt view` has no page: `npm ci --prefix viewer` installs what it needs'])
        self.assertIn('  LINK    build/libexec/ltt/ltt-view', result.lines)

    def test_view(self):
        """`ltt view` says which file is missing and why; a picture needs none."""
        program = self.path('libexec/ltt/ltt-view')
        os.makedirs(os.path.dirname(program))
        shutil.copy(os.path.join(BUILD, 'libexec/ltt/ltt-view'), program)
        words = 'env', 'LD_LIBRARY_PATH=' + os.path.join(BUILD, 'lib'), program
        for more in (), ('--html', self.path('page.html')):
            result = run(*words, *more, sample('one-cpu'))
            self.assertEqual((result.status, result.out), (2, ''))
            self.assertEqual(result.err, 'ltt view: %s/../../share/ltt/viewer/index.html: no such file: ltt was built without node, '
                             'which makes the page; --png needs no page\n' % os.path.dirname(program))
        self.assertEqual(run(*words, '--png', self.path('picture.png'), sample('one-cpu')).status, 0)
