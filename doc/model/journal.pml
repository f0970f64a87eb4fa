/* journal.pml - processes append events to the journal of control/processes and write them to the file.
 *
 * A process prepares its event in a notice and appends it to a ring buffer by one compare-and-exchange. Any process
 * writes the events of the ring buffer to the file. Each step can be followed by a step of another process or by a kill.
 * An event that finds the ring buffer full of events that cannot be written is lost, which the code counts.
 *
 * Checked:
 *	P7  no process writes another event to a place of the file that has one
 *	P8  each event that was appended is in the file at its place, whenever a process is killed
 *
 * Mutations: NO_ROUND, DEAD_LATE, NO_DONE, NO_RECHECK, NO_RING.
 */
#ifndef EVENTS_0
#define EVENTS_0 1 /* that the first process appends */
#endif
#ifndef EVENTS_1
#define EVENTS_1 3 /* that the second process appends */
#endif
#ifndef KILLS
#define KILLS 1
#endif
#define LENGTH  2 /* of the ring buffer */
#define NOTICES 4
#define LAST    (EVENTS_0 + EVENTS_1)
#define MADE    100 /* as state, plus the process: the notice is being prepared */

byte ring_number[LENGTH], ring_notice[LENGTH]; /* number of the event + 1, and its notice: one word */
byte journal_end, journal_done;
byte state[NOTICES], bytes[NOTICES], place[NOTICES];
byte file[LAST + 2];
byte appended[LAST + 1]; /* place of each event + 1 */

bool dead[2], done[2];
byte kills;

#define DO(x)      atomic { !dead[me] -> x }
/* Values that are not used again would only make more states. */
#define FORGET     n = 0; number = 0; seen = 0; seen_number = 0; seen_notice = 0; end = 0; copy = 0
#define IN_RING(n) ((ring_number[0] > 0 && ring_notice[0] == n) || (ring_number[1] > 0 && ring_notice[1] == n))

proctype process(byte me)
{
	byte k, n, number, seen, seen_number, seen_notice, end, copy;
	bool is_full;

next:
	DO(FORGET;
	   if
	   :: k == (me == 0 -> EVENTS_0 : EVENTS_1) -> goto finished
	   :: else
	   fi);
/* model: take_notice - a process may append the notice before it is killed, so that its death is tested first */
take:
	DO(if
	   :: n = 0
	   :: n = 1
	   :: n = 2
	   :: n = 3
	   fi;
	   seen = state[n]);
#ifdef DEAD_LATE
	DO(if
	   :: IN_RING(n) -> goto take
	   :: else
	   fi);
	DO(if
	   :: seen >= MADE && !dead[seen - MADE] -> goto take
	   :: else
	   fi);
#else
	DO(if
	   :: seen >= MADE && !dead[seen - MADE] -> goto take
	   :: else
	   fi);
#ifndef NO_RING
	DO(if
	   :: IN_RING(n) -> goto take
	   :: else
	   fi);
#endif
#endif
	DO(if
	   :: state[n] == seen -> state[n] = MADE + me
	   :: else -> goto take
	   fi);
	DO(bytes[n] = me * EVENTS_0 + k + 1; seen = 0);

find:
	DO(number = journal_end; seen_number = 0; seen_notice = 0; end = 0);
	do
	:: DO(if
	      :: ring_number[number % LENGTH] == number + 1 -> number++
	      :: else -> break
	      fi)
	od;
	if
	:: number == 0 -> end = 0
	:: else ->
		DO(seen_number = ring_number[(number - 1) % LENGTH]; seen_notice = ring_notice[(number - 1) % LENGTH];
		   if
		   :: seen_number != number -> goto find
		   :: else
		   fi);
		DO(end = place[seen_notice] + 1);
		DO(if
		   :: ring_number[(number - 1) % LENGTH] != seen_number || ring_notice[(number - 1) % LENGTH] != seen_notice -> goto find
		   :: else
		   fi)
	fi;
/* model: enter - the word to replace must be of an earlier event */
	DO(seen_number = ring_number[number % LENGTH]; seen_notice = ring_notice[number % LENGTH]);
	DO(if
#ifdef NO_ROUND
	   :: ring_number[number % LENGTH] == number + 1 -> goto find
#else
	   :: seen_number > number -> goto find
#endif
	   :: else
	   fi);
#ifndef NO_DONE
	DO(if
	   :: number >= LENGTH && journal_done <= number - LENGTH -> state[n] = 0; is_full = true; goto commit
	   :: else
	   fi);
#endif
	DO(place[n] = end);
	DO(if
	   :: ring_number[number % LENGTH] == seen_number && ring_notice[number % LENGTH] == seen_notice ->
		ring_number[number % LENGTH] = number + 1;
		ring_notice[number % LENGTH] = n;
		appended[me * EVENTS_0 + k + 1] = end + 1
	   :: else -> goto find
	   fi);
	DO(state[n] = number + 1);
	DO(journal_end = (journal_end > number + 1 -> journal_end : number + 1));

/* model: write_journal - if the write fails, for example because the file has no next block, another process repeats it */
commit:
	DO(FORGET;
	   if
	   :: number = journal_done
	   :: is_full = false; k++; goto next
	   fi);
	do
	:: DO(seen_number = ring_number[number % LENGTH]; seen_notice = ring_notice[number % LENGTH];
	      if
	      :: seen_number != number + 1 -> break
	      :: else
	      fi);
	   DO(copy = bytes[seen_notice]);
	   DO(end = place[seen_notice]);
#ifndef NO_RECHECK
	   DO(if
	      :: ring_number[number % LENGTH] != seen_number || ring_notice[number % LENGTH] != seen_notice -> break
	      :: else
	      fi);
#endif
	   DO(assert(file[end] == 0 || file[end] == copy); /* P7 */
	      file[end] = copy; number++; copy = 0; end = 0; seen_number = 0; seen_notice = 0);
	   DO(journal_done = (journal_done > number -> journal_done : number))
	od;
	DO(if
	   :: is_full -> is_full = false; goto take
	   :: else -> k++; goto next
	   fi);

finished:
	done[me] = true
}

proctype machine()
{
	byte i;

	do
	:: atomic { kills < KILLS && !done[0] -> kills++; dead[0] = true }
	:: atomic { kills < KILLS && !done[1] -> kills++; dead[1] = true }
	:: atomic { (done[0] || dead[0]) && (done[1] || dead[1]) -> break }
	od;
	/* The recorder writes the rest. */
	atomic {
		do
		:: ring_number[journal_done % LENGTH] == journal_done + 1 ->
			i = ring_notice[journal_done % LENGTH];
			file[place[i]] = bytes[i];
			journal_done++
		:: else -> break
		od;
		i = 1;
		do
		:: i > LAST -> break
		:: else -> assert(appended[i] == 0 || file[appended[i] - 1] == i); i++ /* P8 */
		od
	}
}

init
{
	atomic {
		run process(0);
		run process(1);
		run machine()
	}
}
