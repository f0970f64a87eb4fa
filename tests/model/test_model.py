"""The models of the session's protocol (doc/model): spin finds no error in them, and one in each mutation."""
import glob
import os
import re
import shutil
import subprocess
import unittest

from command import SOURCE, CommandTest, thorough

MODELS = os.path.join(SOURCE, 'doc/model')
# For models whose search is larger than memory allows, pan ends with an error.
MEMORY_MB = 4000


@unittest.skipUnless(shutil.which('spin'), 'needs the Debian package spin')
class Model(CommandTest):
    def search(self, name, *defines, options=('-O0',)):
        """Searches all states of a model. Returns the number of states, and the assertion that does not hold or None.

        A search that soon finds an error takes less time than an optimizing compiler. Large searches
        need COLLAPSE, which takes a third of the memory and a quarter more time.
        """
        subprocess.run(['spin', '-a', *('-D' + define for define in defines), os.path.join(MODELS, name + '.pml')], cwd=self.folder, check=True,
                       stdout=subprocess.PIPE)
        subprocess.run(['gcc', *options, '-DSAFETY', '-DMEMLIM=%d' % MEMORY_MB, '-o', 'pan', 'pan.c'], cwd=self.folder, check=True,
                       stderr=subprocess.PIPE)
        # -E: threads that were killed do not end.
        run = subprocess.run(['./pan', '-E', '-m1000000', '-w24'], cwd=self.folder, stdout=subprocess.PIPE, text=True, check=True)
        self.assertNotRegex(run.stdout, 'max search depth too small|out of memory|Search not completed(?s:.*)errors: 0')
        states = int(float(re.search(r'([\d.e+]+) states, stored', run.stdout)[1]))
        broken = re.search(r'assertion violated (.*) \(at depth', run.stdout)
        return states, broken and broken[1]

    def assert_holds(self, least_states, name, *defines):
        options = ('-O2', '-DCOLLAPSE') if least_states > 5000000 else ('-O2',) if least_states >= 1000000 else ('-O0',)
        states, broken = self.search(name, *defines, options=options)
        self.assertIsNone(broken)
        self.assertGreater(states, least_states)

    def assert_broken(self, assertion, name, *defines):
        _, broken = self.search(name, *defines)
        self.assertIsNotNone(broken, defines)
        self.assertIn(assertion, broken)


class Tracefile(Model):
    RECYCLE = ('RECYCLE', 'BLOCKS=2', 'CAP=3')

    def test_no_error(self):
        self.assert_holds(3000000, 'tracefile')

    def test_no_error_where_blocks_are_replaced(self):
        self.assert_holds(3000000, 'tracefile', *self.RECYCLE)

    def test_a_word_before_the_event(self):
        self.assert_broken('meant[p]==id[slot]', 'tracefile', 'COMMIT_FIRST')

    def test_a_sequence_that_is_not_restarted(self):
        self.assert_broken('seen[e]==1', 'tracefile', 'NO_RESTART')

    def test_a_step_without_comparisons(self):
        self.assert_broken('seen[e]==1', 'tracefile', 'NO_CHECKS')

    def test_a_step_that_leaves_the_owner(self):
        self.assert_broken('==who', 'tracefile', 'NO_DISOWN')

    def test_a_time_after_an_interrupted_step(self):
        self.assert_broken('==made[e]', 'tracefile', 'STALE_BASE', 'TICKS=2', 'LIMIT=1', 'EVENTS=1', 'BLOCKS=2')

    def test_a_new_block_under_the_old_id(self):
        self.assert_broken('meant[p]==id[slot]', 'tracefile', 'KEEP_ID', *self.RECYCLE)


class Snapshot(Model):
    WRONG = '(i<found)==(stamp[i]<cut)'

    def test_no_error(self):
        self.assert_holds(1400000, 'snapshot', 'TICKS=2')

    @thorough
    def test_no_error_with_more_time(self):
        self.assert_holds(10000000, 'snapshot')

    def test_a_cut_that_is_announced_late(self):
        self.assert_broken(self.WRONG, 'snapshot', 'NO_AHEAD', 'KILLS=0')

    def test_a_cpu_that_is_not_visited(self):
        self.assert_broken(self.WRONG, 'snapshot', 'NO_VISIT')

    def test_a_gate_that_is_read_before_the_counter(self):
        self.assert_broken(self.WRONG, 'snapshot', 'STAMP_LATE')

    def test_a_step_without_comparisons(self):
        self.assert_broken(self.WRONG, 'snapshot', 'NO_CHECKS', 'KILLS=0')


class Journal(Model):
    LOST = 'file[(appended[i]-1)]==i'

    def test_no_error(self):
        self.assert_holds(1300000, 'journal', 'EVENTS_1=2')

    @thorough
    def test_no_error_with_more_events(self):
        self.assert_holds(9000000, 'journal')

    def test_a_ring_that_went_round(self):
        self.assert_broken(self.LOST, 'journal', 'NO_ROUND')

    def test_a_death_that_is_tested_last(self):
        self.assert_broken(self.LOST, 'journal', 'DEAD_LATE')

    def test_an_event_that_is_replaced_before_it_is_written(self):
        self.assert_broken(self.LOST, 'journal', 'NO_DONE')

    def test_a_copy_that_is_not_compared(self):
        self.assert_broken('file[end]==copy', 'journal', 'NO_RECHECK')

    def test_a_notice_whose_event_is_in_the_ring(self):
        self.assert_broken(self.LOST, 'journal', 'NO_RING')


class Lane(Model):
    LOST = 'n==(committed[0]+committed[1])'
    ENDLESS = 'is_over'
    LEAVE = ('LEAVE', 'EVENTS_0=1')
    STALE = (*LEAVE, 'STALE', 'KILLS=0')
    SNAPSHOT = ('SNAPSHOT', 'EVENTS_0=1')

    def test_no_error_at_the_end_of_the_session(self):
        self.assert_holds(250000, 'lane')

    def test_no_error_when_a_process_leaves(self):
        self.assert_holds(1400000, 'lane', *self.LEAVE)

    def test_no_error_with_a_thread_of_the_session_before(self):
        self.assert_holds(700000, 'lane', *self.STALE)

    def test_no_error_in_a_snapshot(self):
        self.assert_holds(1200000, 'lane', *self.SNAPSHOT)

    def test_an_owner_that_is_stored(self):
        self.assert_broken(self.LOST, 'lane', 'STORE_OWNER')

    def test_an_event_that_nobody_waits_for(self):
        self.assert_broken(self.LOST, 'lane', 'NO_TURNS')
        self.assert_broken('(i<found)==(stamp[i]<cut)', 'lane', 'NO_TURNS', *self.SNAPSHOT)

    def test_an_event_that_is_announced_after_the_gate(self):
        self.assert_broken(self.LOST, 'lane', 'TURN_LATE')

    def test_a_gate_that_is_shut_once(self):
        self.assert_broken(self.LOST, 'lane', 'SHUT_ONCE')

    def test_waiting_for_the_dead(self):
        self.assert_broken(self.ENDLESS, 'lane', 'WAIT_DEAD')
        self.assert_broken(self.ENDLESS, 'lane', 'WAIT_DEAD', *self.SNAPSHOT)

    def test_leaving_during_an_event(self):
        self.assert_broken(self.LOST, 'lane', 'NO_BUSY', *self.LEAVE)

    def test_an_announcement_of_another_thread_that_is_cleared(self):
        self.assert_broken(self.LOST, 'lane', 'CLEAR_BUSY', *self.STALE)

    def test_an_event_that_is_announced_after_leaving(self):
        self.assert_broken(self.ENDLESS, 'lane', 'BUSY_LATE', *self.LEAVE)

    def test_leaving_while_a_lane_is_taken(self):
        self.assert_broken(self.ENDLESS, 'lane', 'NO_TRANSIT', *self.LEAVE)


class Process(Model):
    WRONG = '(starts==has_slot[p])&&(exits==has_slot[p])'

    def test_no_error(self):
        self.assert_holds(45000, 'process')

    def test_a_slot_that_is_stored(self):
        self.assert_broken(self.WRONG, 'process', 'STORE_SLOT')

    def test_a_slot_without_the_number_of_its_process(self):
        self.assert_broken(self.WRONG, 'process', 'PLAIN_WHO')

    def test_a_place_that_is_stored_late(self):
        self.assert_broken(self.WRONG, 'process', 'PLACE_LATE')

    def test_an_end_that_is_not_looked_for(self):
        self.assert_broken(self.WRONG, 'process', 'NO_CHECK')


class Chunk(Model):
    LEFT = '(maps[i]==2)==(i!=here_chunk)'
    WRONG = '(maps[at]==want)'

    def test_no_error(self):
        self.assert_holds(1200000, 'chunk', 'SWITCHES=3')

    @thorough
    def test_no_error_with_more_switches(self):
        self.assert_holds(5300000, 'chunk')

    def test_an_installation_in_one_step(self):
        self.assert_broken(self.LEFT, 'chunk', 'ONE_STEP')

    def test_a_counter_that_is_read_last(self):
        self.assert_broken(self.LEFT, 'chunk', 'COUNT_LATE')

    def test_a_step_without_comparisons(self):
        self.assert_broken(self.LEFT, 'chunk', 'NO_CHECKS')

    def test_a_number_that_is_not_cleared(self):
        self.assert_broken(self.WRONG, 'chunk', 'NO_PENDING')

    def test_a_chunk_that_is_unmapped_early(self):
        self.assert_broken(self.WRONG, 'chunk', 'EARLY')

    def test_an_address_instead_of_a_counter(self):
        self.assert_broken(self.WRONG, 'chunk', 'NO_COUNT')

    def test_an_event_that_is_given_up_early(self):
        self.assert_broken('0', 'chunk', 'AT_ONCE')


class Labels(unittest.TestCase):
    def labels(self, *patterns):
        found = set()
        for pattern in patterns:
            for path in glob.glob(os.path.join(SOURCE, pattern)):
                with open(path, encoding='utf-8') as file:
                    found.update(re.findall(r'\bmodel: (\w+)', file.read()))
        return found

    def test_code_and_models_name_the_same_steps(self):
        models = self.labels('doc/model/*.pml')
        self.assertGreater(len(models), 10)
        self.assertEqual(self.labels('libltt/session/*.[ch]', 'libltt/probe/*.[ch]'), models)
