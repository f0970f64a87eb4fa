/* process.pml - processes join and leave a session, and the recorder completes the record of those that die.
 *
 * A process that joins takes a slot of the table of processes by compare-and-exchange, stores who it is, and appends
 * a process_start to the journal; at its end it appends a process_exit and frees the slot. The position of each
 * event is stored in the slot before the event is appended. The recorder frees the slots of dead processes, and
 * appends the events that are missing. A process that joins late takes a slot that another one has freed.
 *
 *	slot    owner    number of the process in the session, never reused; 0: free
 *	        who      pid and number: the recorder ignores a slot whose number is not that of its owner
 *	        start    positions of the events in control/processes, 0: not known yet
 *	        exit
 *
 * The journal is a sequence here: journal.pml describes how an event is appended to it.
 *
 * Checked at the end:
 *	M1  a process that has stored who it is has one process_start and one process_exit; any other has none
 *	M2  the recorder and all processes that were not killed have ended, and no such process has a slot any more
 *
 * Mutations: STORE_SLOT, PLAIN_WHO, PLACE_LATE, NO_CHECK.
 */
#define PROCESSES 2
#ifndef SLOTS
#define SLOTS 1
#endif
#ifndef KILLS
#define KILLS 2
#endif
#ifndef LOOKS
#define LOOKS 1 /* of the recorder, before the end */
#endif
#define LENGTH (2 * PROCESSES + 4)

#define START(p) (1 + (p))
#define EXIT(p)  (11 + (p))

byte owner[SLOTS], who_pid[SLOTS], who_number[SLOTS], start[SLOTS], exit[SLOTS];
byte journal[LENGTH], end = 1; /* position 0 is not used */

byte serials;
bool dead[PROCESSES], done[PROCESSES];

/* For the checks. */
bool has_slot[PROCESSES], is_over;
byte kills;

#define IS_GONE(p) (dead[p] || done[p])

#define DO(x) atomic { !dead[me] -> x }

/* Appends an event at the place that was stored. If another one was appended meanwhile, the place is another one. */
#ifdef PLACE_LATE
#define APPEND(field, event) \
	DO(at = end; journal[end] = event; end++);  \
	DO(field = at)
#else
#define APPEND(field, event) \
	do \
	:: DO(at = end; field = at); \
	   DO(if \
	      :: end == at -> journal[end] = event; end++; break \
	      :: else \
	      fi) \
	od
#endif

proctype process(byte me)
{
	byte i, number, at;

/* model: join */
	DO(serials++; number = serials);
	do
	:: i == SLOTS -> goto finished /* it is traced without a slot */
	:: else ->
#ifdef STORE_SLOT
		DO(if
		   :: owner[i] == 0 -> at = 1
		   :: else -> at = 0
		   fi);
		if
		:: at == 1 -> DO(owner[i] = number); break
		:: else -> i++
		fi
#else
		DO(if
		   :: owner[i] == 0 -> owner[i] = number; break
		   :: else -> i++
		   fi)
#endif
	od;
	DO(start[i] = 0; exit[i] = 0);
	DO(who_pid[i] = me; who_number[i] = number; has_slot[me] = true);
	APPEND(start[i], START(me));

/* model: leave */
	APPEND(exit[i], EXIT(me));
	DO(if
	   :: owner[i] == number -> owner[i] = 0
	   :: else
	   fi);
finished:
	done[me] = true
}

/* model: bury - the recorder looks at any time, and once more at the end */
proctype recorder()
{
	byte i, looks, was_owner, was_pid, was_number, was_start, was_exit;

look:
	if
	:: looks < LOOKS
	:: looks == LOOKS -> IS_GONE(0) && IS_GONE(1)
	:: looks > LOOKS -> goto finished
	fi;
	looks++;
	i = 0;
	do
	:: i == SLOTS -> goto look
	:: else ->
		was_owner = owner[i];
		atomic { was_pid = who_pid[i]; was_number = who_number[i] };
		if
#ifdef PLAIN_WHO
		:: was_owner == 0 || !IS_GONE(was_pid) -> goto next
#else
		:: was_owner == 0 || was_number != was_owner || !IS_GONE(was_pid) -> goto next
#endif
		:: else
		fi;
		atomic { was_start = start[i]; was_exit = exit[i] };
		atomic {
			if
			:: owner[i] == was_owner -> owner[i] = 0
			:: else -> goto next
			fi
		};
		atomic {
			if
			:: journal[was_start] != START(was_pid) -> journal[end] = START(was_pid); end++
			:: else
			fi
		};
		atomic {
			if
#ifndef NO_CHECK
			:: journal[was_exit] == EXIT(was_pid)
#endif
			:: else -> journal[end] = EXIT(was_pid); end++
			fi
		};
next:
		atomic { was_owner = 0; was_pid = 0; was_number = 0; was_start = 0; was_exit = 0; i++ }
	od;
finished:
	is_over = true
}

proctype machine()
{
	byte i, p, starts, exits;

	do
	:: atomic { kills < KILLS && !done[0] -> kills++; dead[0] = true }
	:: atomic { kills < KILLS && !done[1] -> kills++; dead[1] = true }
	:: timeout -> break
	od;
	assert(is_over); /* M2 */
	d_step {
		do
		:: p == PROCESSES -> break
		:: else ->
			assert(IS_GONE(p)); /* M2 */
			starts = 0;
			exits = 0;
			i = 1;
			do
			:: i == end -> break
			:: else ->
				starts = starts + (journal[i] == START(p));
				exits = exits + (journal[i] == EXIT(p));
				i++
			od;
			assert(starts == has_slot[p] && exits == has_slot[p]); /* M1 */
			p++
		od;
		i = 0;
		do
		:: i == SLOTS -> break
		:: else -> assert(owner[i] == 0 || who_number[i] != owner[i]); i++ /* M2 */
		od
	}
}

init
{
	atomic {
		run process(0);
		run process(1);
		run recorder();
		run machine()
	}
}
