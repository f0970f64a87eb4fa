/* chunk.pml - two threads of a process on one CPU map chunks of a tracefile, and unmap those that they replace.
 *
 * The kernel uses the address of a chunk again as soon as it is unmapped.
 *
 * Checked:
 *	P1  a store in a sequence goes to a mapping of the chunk that is meant
 *	P2  nobody unmaps a chunk that is installed, or an address that is not mapped
 *	P3  when the threads have finished, only the installed chunk is mapped
 *	P4  if memory of a found chunk cannot be read, the thread knows that another one may have been installed
 *
 * Mutations: ONE_STEP, COUNT_LATE, NO_CHECKS, NO_PENDING, EARLY, NO_COUNT, AT_ONCE.
 */
#ifndef ROUNDS
#define ROUNDS 2 /* stores of each thread */
#endif
#ifndef SWITCHES
#define SWITCHES 4
#endif

#define ADDRESSES 5 /* one installed; and of each thread one that is fresh and one that is retired */
#define NONE      0 /* no address */
#define CHUNKS    2
#define PENDING   2 /* as number */

byte maps[ADDRESSES + 1] = PENDING; /* number of the chunk that is mapped there; PENDING: nothing is */

/* Of the CPU. */
byte here_chunk = NONE, here_number = PENDING, installs;

byte on, switches, finished;
bool aborted[2], in_sequence[2];

#define RUN(x) atomic { on == me -> x }
#define SEQ(x) atomic { on == me -> if :: aborted[me] -> goto failed :: else fi; x }
#define ENTER  RUN(in_sequence[me] = true; aborted[me] = false)
#define LEAVE  in_sequence[me] = false

#ifdef NO_CHECKS
#define CHECK skip
#elif defined(NO_COUNT)
#define CHECK                                                                                                          \
	if                                                                                                             \
	:: here_chunk != chunk || here_number != number -> goto failed                                                 \
	:: else                                                                                                        \
	fi
#else
#define CHECK                                                                                                          \
	if                                                                                                             \
	:: installs != seen -> goto failed                                                                             \
	:: else                                                                                                        \
	fi
#endif

/* The lowest address that is free, so that the same ones are used again at once. */
inline map(at, what)
{
	at = 1;
	do
	:: maps[at] != PENDING -> at++
	:: else -> break
	od;
	maps[at] = what
}

inline unmap(at)
{
	assert(maps[at] != PENDING && here_chunk != at); /* P2 */
	maps[at] = PENDING;
	at = NONE
}

proctype thread(byte me)
{
	byte k, want, seen, chunk, number, fresh, retired, before, at;

again:
	RUN(if
	    :: k == ROUNDS -> goto done
	    :: else
	    fi);
	RUN(if
	    :: want = 0
	    :: want = 1
	    fi);
#ifdef COUNT_LATE
	RUN(chunk = here_chunk);
	RUN(number = here_number);
	RUN(seen = installs);
#else
	RUN(seen = installs);
	RUN(chunk = here_chunk);
	RUN(number = here_number);
#endif
	/* Finds the chunk. */
	RUN(if
	    :: chunk != NONE && number == want -> at = chunk
	    :: else -> map(fresh, want); at = fresh
	    fi);

/* model: unreadable - a system call looks whether the memory can be read */
	RUN(if
	    :: maps[at] == PENDING -> skip
	    :: else -> goto readable
	    fi);
#ifdef AT_ONCE
	RUN(assert(false)); /* P4 */
#elif defined(NO_COUNT)
	RUN(assert(here_chunk != chunk || here_number != number); goto failed); /* P4 */
#else
	RUN(assert(installs != seen); goto failed); /* P4 */
#endif

readable:
	RUN(if
	    :: fresh == NONE -> goto use
	    :: else
	    fi);
/* model: install */
	ENTER;
	SEQ(CHECK);
#ifdef ONE_STEP
	SEQ(here_chunk = fresh);
	SEQ(here_number = want);
	SEQ(assert(maps[at] == want); retired = chunk; fresh = NONE; k++; LEAVE; goto failed);
#else
#ifndef NO_COUNT
	SEQ(installs = seen + 1);
#endif
#ifndef NO_PENDING
	SEQ(here_number = PENDING);
#endif
	SEQ(here_chunk = fresh; retired = chunk; before = chunk; chunk = fresh;
	    number = PENDING; fresh = NONE; seen++; LEAVE);
#endif
#ifdef EARLY
	RUN(if
	    :: retired != NONE -> unmap(retired)
	    :: else
	    fi);
#endif
/* model: settle */
	ENTER;
	SEQ(CHECK);
	SEQ(here_number = want; number = want; LEAVE);

use:
	ENTER;
	SEQ(CHECK);
	/* P1; and the block that ends may be in the chunk before. */
	SEQ(assert(maps[at] == want && (before == NONE || maps[before] != PENDING)); k++; LEAVE);

failed:
	/* Unmaps what is not installed. */
	RUN(LEAVE;
	    if
	    :: fresh != NONE -> unmap(fresh)
	    :: else
	    fi);
	RUN(if
	    :: retired != NONE -> unmap(retired); before = NONE
	    :: else
	    fi);
	goto again;

done:
	atomic { on == me -> finished++; on = 1 - me }
}

/* The kernel switches to the other thread, and aborts the sequence of this one. */
proctype kernel()
{
end:
	do
	:: atomic {
		switches < SWITCHES && finished == 0 ->
		if
		:: in_sequence[on] -> aborted[on] = true
		:: else
		fi;
		on = 1 - on;
		switches++
	   }
	:: atomic { finished == 2 -> break }
	od
}

init
{
	byte i;

	atomic { run thread(0); run thread(1); run kernel() }
	finished == 2;
	atomic {
		for (i : 1 .. ADDRESSES) {
			assert((maps[i] == PENDING) == (i != here_chunk)); /* P3 */
		}
	}
}
