/* tracefile.pml - two threads of two processes write events to the tracefile of one CPU.
 *
 * Each RUN(...) is one load or store of the code, or several loads of a restartable sequence. Between any two
 * of them the CPU can switch to the other thread, and the running thread can be killed. A switch aborts the
 * sequence of a thread, which then starts again. The reader looks at the file in any state, as after a crash.
 *
 * Checked in every state:
 *	P1  a committed event is in the file once, and an event that was not committed is not. Where blocks
 *	    are replaced (RECYCLE), events of the oldest block may be missing
 *	P2  each block can be read: all its places were written for this block, and the thread event before an
 *	    event names its thread
 *	P3  the time of each event, as a reader computes it, is the time at which it was made
 * and at the end:
 *	P4  each thread that was not killed has written all its events, or counted them as lost
 *
 * Mutations, each of which breaks a property: COMMIT_FIRST, NO_RESTART, NO_CHECKS, NO_DISOWN, KEEP_ID,
 * STALE_BASE.
 */
#ifndef EVENTS
#define EVENTS 2 /* that each thread writes */
#endif
#ifndef BLOCKS
#define BLOCKS 3
#endif
#ifndef CAP
#define CAP 4 /* places of a block */
#endif
#ifndef SWITCHES
#define SWITCHES 2
#endif
#ifndef KILLS
#define KILLS 1
#endif
#ifndef LIMIT
#define LIMIT 0 /* longest delta; a longer one needs a time value first */
#endif
#ifndef TICKS
#define TICKS 1 /* last value of the counter */
#endif

#define NOBODY 2 /* as owner */
#define NONE   255
#define CLOSED 100 /* added to the word of a closed block */

/* What is in a place: nothing, the thread event of a thread, a time value, event K of a thread. */
#define THREAD(t)   (1 + (t))
#define TIME_VALUE  3
#define EVENT(t, k) (10 + 10 * (t) + (k))

#define SLOT(b)  ((b) % BLOCKS)
#define AT(b, i) (SLOT(b) * CAP + (i))

/* The file. */
byte id[BLOCKS];   /* 0: not begun; otherwise the number of the block, plus 1 */
byte word[BLOCKS]; /* number of readable places */
byte place[BLOCKS * CAP];
byte stamp[BLOCKS * CAP]; /* delta; of a time value and of the first place: the time */
byte meant[BLOCKS * CAP];    /* for the checks: id of the block that it was written for */

/* The session state of the file. */
byte owner = NOBODY;
byte base;
byte current = NONE;

/* For the checks. */
byte committed[2];
byte made[2 * EVENTS]; /* the time of each event */
byte block_of[2 * EVENTS];

/* The CPU. */
byte on; /* the running thread */
byte now;
bool in_sequence[2], aborted[2], dead[2], done[2];
byte switches, kills;

/* A step outside of a sequence, and one of a sequence, which starts again after a switch. */
#define RUN(x) atomic { on == me -> x }
#ifdef NO_RESTART
#define SEQ(x) RUN(x)
#else
#define SEQ(x) atomic { on == me -> if :: aborted[me] -> goto again :: else fi; x }
#endif

#define UNCHANGED (owner == sight_owner && current == sight_current && (sight_current == NONE || word[SLOT(sight_current)] == sight_word))
#ifdef NO_CHECKS
#define CHECKS_HOLD true
#else
#define CHECKS_HOLD UNCHANGED
#endif

inline put(b, i, what, when)
{
	place[AT(b, i)] = what;
	stamp[AT(b, i)] = when;
	meant[AT(b, i)] = b + 1
}

inline commit_event()
{
	word[SLOT(here)] = n + 1;
	made[me * EVENTS + k] = time;
	block_of[me * EVENTS + k] = here;
	committed[me]++
}

inline end_sequence()
{
	in_sequence[me] = false
}

proctype thread(byte me)
{
	byte k, n, time, delta;
	byte sight_owner, sight_current, sight_word, sight_now, sight_base, next;
	byte here = NONE; /* the block that this process writes to */

again:
	atomic {
		on == me ->
		if
		:: k == EVENTS -> goto finished
		:: else -> in_sequence[me] = true; aborted[me] = false
		fi
	}

/* model: commit */
	SEQ(if
	    :: owner != me -> goto look
	    :: else -> n = word[SLOT(here)]; time = now; delta = time - base
	    fi;
	    if
	    :: delta > LIMIT || n >= CAP -> goto look
	    :: else
	    fi);
#ifdef COMMIT_FIRST
	SEQ(commit_event());
	SEQ(put(here, n, EVENT(me, k), delta); k++; end_sequence(); goto again);
#else
	SEQ(put(here, n, EVENT(me, k), delta));
	SEQ(commit_event(); k++; end_sequence(); goto again);
#endif

look: /* model: look */
	RUN(end_sequence(); sight_current = current);
	RUN(sight_owner = owner);
	RUN(sight_word = (sight_current == NONE -> 0 : word[SLOT(sight_current)]));
	RUN(sight_now = now);
	RUN(sight_base = base;
	    if
	    :: sight_word == 0 || sight_word >= CLOSED -> goto start
	    :: else -> delta = sight_now - sight_base
	    fi;
#ifndef STALE_BASE
	    if
	    :: sight_owner == NOBODY -> delta = LIMIT + 1 /* a step was interrupted: the base is not known */
	    :: else
	    fi;
#endif
	    if
	    :: sight_word + (delta > LIMIT) + (sight_owner != me) + 1 > CAP -> goto start
	    :: else -> in_sequence[me] = true; aborted[me] = false
	    fi);

/* model: go_on */
	SEQ(if
	    :: CHECKS_HOLD -> n = sight_word
	    :: else -> goto again
	    fi);
#ifndef NO_DISOWN
	SEQ(owner = NOBODY);
#endif
	SEQ(if
	    :: delta > LIMIT -> put(sight_current, n, TIME_VALUE, sight_now); n++; delta = 0; sight_base = sight_now
	    :: else
	    fi);
	SEQ(if
	    :: sight_owner != me -> put(sight_current, n, THREAD(me), delta); n++
	    :: else
	    fi);
	SEQ(word[SLOT(sight_current)] = n);
	SEQ(base = sight_base);
	SEQ(here = sight_current);
	SEQ(owner = me; end_sequence(); goto again);

start:
	atomic {
		on == me ->
		next = (sight_current == NONE -> 0 : sight_current + 1);
#ifndef RECYCLE
		if
		:: next == BLOCKS -> k = EVENTS; goto again /* the rest is counted as lost */
		:: else
		fi;
#endif
		in_sequence[me] = true;
		aborted[me] = false
	}

/* model: start_block */
	SEQ(if
	    :: CHECKS_HOLD
	    :: else -> goto again
	    fi);
#ifndef NO_DISOWN
	SEQ(owner = NOBODY);
#endif
	SEQ(if
	    :: sight_word > 0 && sight_word < CLOSED -> word[SLOT(sight_current)] = sight_word + CLOSED
	    :: else
	    fi);
/* model: begin_block */
#ifndef KEEP_ID
	SEQ(word[SLOT(next)] = 0);
	SEQ(id[SLOT(next)] = 0);
#endif
	SEQ(put(next, 0, THREAD(me), sight_now));
	SEQ(id[SLOT(next)] = next + 1);
	SEQ(word[SLOT(next)] = 1);
	SEQ(current = next);
	SEQ(base = sight_now);
	SEQ(here = next);
	SEQ(owner = me; end_sequence(); goto again);

finished:
	atomic {
		on == me ->
		done[me] = true;
		if
		:: !dead[1 - me] && !done[1 - me] -> on = 1 - me
		:: else -> on = NOBODY
		fi
	}
}

/* Switches threads, kills one of them, counts time. */
proctype machine()
{
	do
	:: atomic {
		switches < SWITCHES && on != NOBODY && !dead[1 - on] && !done[1 - on] ->
		switches++;
		aborted[on] = in_sequence[on];
		on = 1 - on
	   }
	:: atomic {
		kills < KILLS && on != NOBODY ->
		kills++;
		dead[on] = true;
		if
		:: !dead[1 - on] && !done[1 - on] -> on = 1 - on
		:: else -> on = NOBODY
		fi
	   }
	:: now < TICKS -> now++
	:: timeout -> assert(on == NOBODY); break /* P4 */
	od
}

inline read_block()
{
	n = (id[slot] == 0 -> 0 : word[slot]);
	n = (n >= CLOSED -> n - CLOSED : n);
	who = NOBODY;
	i = 0;
	do
	:: i == n -> break
	:: i < n ->
		p = slot * CAP + i;
		assert(meant[p] == id[slot]); /* P2 */
		assert(i > 0 || (place[p] > 0 && place[p] < TIME_VALUE)); /* P2 */
		if
		:: i == 0 || place[p] == TIME_VALUE -> time = stamp[p]
		:: else
		fi;
		if
		:: place[p] > 0 && place[p] < TIME_VALUE -> who = place[p] - 1
		:: place[p] == TIME_VALUE
		:: place[p] > TIME_VALUE ->
			assert((place[p] - 10) / 10 == who); /* P2 */
			e = who * EVENTS + (place[p] - 10) % 10;
			assert(e % EVENTS < committed[who]); /* P1 */
			assert(time + stamp[p] == made[e]); /* P3 */
			seen[e]++
		fi;
		i++
	od
}

/* Reads the file once, in any state. */
proctype reader()
{
	byte slot, i, n, p, e, who, time;
	byte seen[2 * EVENTS];

	d_step {
		do
		:: slot == BLOCKS -> break
		:: slot < BLOCKS -> read_block(); slot++
		od;
		e = 0;
		do
		:: e == 2 * EVENTS -> break
		:: e < 2 * EVENTS ->
			/* P1. The block that is begun next replaces the oldest one. */
			assert(seen[e] <= 1);
			assert(seen[e] == 1 || e % EVENTS >= committed[e / EVENTS] || block_of[e] + BLOCKS <= current + 1);
			e++
		od
	}
}

init
{
	atomic {
		run thread(0);
		run thread(1);
		run machine();
		run reader()
	}
}
