/* snapshot.pml - a snapshot finds the end of a tracefile at one value of the counter, while two threads write.
 *
 * The snapshot stores a cut shortly ahead of the counter in the gate. The first writer that is stamped at or
 * after the cut stores where the file ended, and opens the gate. If the gate is still closed when the time
 * has passed, and no sequence from before is under way on the CPU, the file ends where it is.
 *
 * Checked:
 *	P5  all events before the place that the snapshot finds were stamped before the cut, and all others at or
 *	    after it
 *	P6  the snapshot ends, whatever the writers do, and they end, whether or not it is killed
 *
 * Mutations: NO_AHEAD, NO_VISIT, STAMP_LATE, NO_CHECKS.
 */
#ifndef EVENTS
#define EVENTS 1 /* that each thread writes */
#endif
#ifndef SWITCHES
#define SWITCHES 2
#endif
#ifndef KILLS
#define KILLS 1
#endif
#ifndef TICKS
#define TICKS 3 /* last value of the counter */
#endif

#define NOBODY 2
#define NEVER  100 /* as cut: the gate is open */

#define AHEAD 1

byte word; /* number of events in the file */
byte stamp[2 * EVENTS + 1];

byte gate_cut = NEVER;
byte cut_done = NEVER, cut_place;

byte on;
byte now;
bool in_sequence[2], aborted[2], dead[2], done[2];
byte switches, kills;

byte cut = NEVER, found = NEVER; /* of the snapshot */
bool is_complete, snapshot_dead;

#define RUN(x) atomic { on == me -> x }
#define SEQ(x) atomic { on == me -> if :: aborted[me] -> goto again :: else fi; x }

proctype thread(byte me)
{
	byte k, n, time, sight_word, sight_cut, sight_now;

again:
	atomic {
		on == me ->
		if
		:: k == EVENTS -> goto finished
		:: else -> in_sequence[me] = true; aborted[me] = false
		fi
	}
/* model: gate - the counter is read before the cut is */
#ifdef STAMP_LATE
	SEQ(if
	    :: now >= gate_cut -> goto look
	    :: else
	    fi);
	SEQ(time = now; n = word);
#else
	SEQ(time = now);
	SEQ(if
	    :: time >= gate_cut -> goto look
	    :: else -> n = word
	    fi);
#endif
	SEQ(stamp[n] = time);
	SEQ(word = n + 1; k++; in_sequence[me] = false; goto again);

look:
	RUN(in_sequence[me] = false; sight_word = word);
	RUN(sight_cut = gate_cut);
	RUN(sight_now = now; in_sequence[me] = true; aborted[me] = false);
/* model: pass_cut */
	SEQ(if
#ifndef NO_CHECKS
	    :: word != sight_word || gate_cut != sight_cut -> goto again
#endif
	    :: sight_now < sight_cut -> goto again
	    :: else
	    fi);
	SEQ(cut_place = sight_word);
	SEQ(cut_done = sight_cut);
	SEQ(gate_cut = NEVER; in_sequence[me] = false; goto again);

finished:
	atomic {
		on == me ->
		done[me] = true;
		on = (dead[1 - me] || done[1 - me] -> NOBODY : 1 - me)
	}
}

proctype machine()
{
	byte i;

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
		on = (dead[1 - on] || done[1 - on] -> NOBODY : 1 - on)
	   }
	:: kills < KILLS && !is_complete -> kills++; snapshot_dead = true
	:: now < TICKS -> now++
	:: timeout -> break
	od;
	assert(on == NOBODY && (is_complete || snapshot_dead || cut == NEVER)); /* P6 */
	d_step {
		i = 0;
		do
		:: i == word || found == NEVER -> break
		:: else -> assert((i < found) == (stamp[i] < cut)); i++ /* P5 */
		od
	}
}

/* On another CPU. */
#define DO(x) atomic { !snapshot_dead -> x }

proctype snapshot()
{
	byte place, seen;

again:
	DO(now + AHEAD < TICKS -> cut = now + AHEAD);
/* model: announce */
	DO(gate_cut = cut);
/* model: ahead - otherwise an event at or after the cut may have passed the gate before */
#ifndef NO_AHEAD
	DO(if
	   :: now >= cut && gate_cut == cut -> gate_cut = NEVER; cut = NEVER; goto again
	   :: now >= cut && gate_cut != cut -> cut = NEVER; goto again
	   :: else
	   fi);
#endif
	DO(now > cut);
/* model: visit - a switch to this thread and back, on the CPU of the file */
#ifndef NO_VISIT
	DO(if
	   :: on != NOBODY -> aborted[on] = in_sequence[on]
	   :: else
	   fi);
#endif
/* model: find_place - the gate is loaded last */
	DO(place = word);
	DO(seen = gate_cut);
	if
	:: seen == cut -> found = place
	:: else ->
		if
		:: cut_done == cut -> DO(found = cut_place)
		:: else -> DO(cut = NEVER; goto again)
		fi
	fi;
	is_complete = true
}

init
{
	atomic {
		run thread(0);
		run thread(1);
		run machine();
		run snapshot()
	}
}
