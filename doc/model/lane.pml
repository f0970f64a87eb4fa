/* lane.pml - two processes without restartable sequences write to one lane.
 *
 * A lane belongs to one process. Another process takes it over when its owner has released it or is dead, as a
 * process that joins late does. Nothing aborts a step in a lane: any other process can run, and the process can be
 * killed, between each load and the next store.
 *
 *	lane_owner   the process that has the lane, replaced by compare-and-exchange
 *	turns        of the lane: odd while an event is being written. The end of the session and a snapshot wait
 *	             until it changes or its process is dead
 *	inside       a process is taking a lane. The thread that leaves the session sets `transit`, then waits
 *	busy         a process is writing an event. The thread that leaves sets `left`, then waits
 *	             With STALE, a thread of the first process has found the lane in a session before this one. It
 *	             announces an event too, finds that the process has left that session, and takes the announcement
 *	             back, at any time
 *
 * The model has three forms. The session ends at any time, perhaps with a cut in the gate that a snapshot has left.
 * With LEAVE, the first process also leaves the session at any time. With SNAPSHOT, the session does not end, and a
 * snapshot finds the end of the lane at one value of the counter.
 *
 * Checked at the end:
 *	L1  a committed event is in the file once, and an event that was not committed is not. The thread event
 *	    before an event names its process
 *	L2  no event is committed in a block that the end of the session has closed
 *	L3  each process that was not killed has ended, and so has the end of the session or the snapshot: none waits
 *	    for a process that is dead
 *	L4  all events before the place that the snapshot finds were made before the cut, and all others at or after it
 *
 * Mutations: STORE_OWNER, NO_TURNS, TURN_LATE, WAIT_DEAD, SHUT_ONCE; with LEAVE: NO_BUSY, BUSY_LATE, NO_TRANSIT;
 * with LEAVE and STALE: CLEAR_BUSY.
 */
#ifndef EVENTS_0
#define EVENTS_0 2 /* that the first process writes */
#endif
#ifndef EVENTS_1
#define EVENTS_1 1 /* that the second process writes */
#endif
#ifndef KILLS
#define KILLS 1
#endif
#ifndef TICKS
#define TICKS 2 /* last value of the counter */
#endif

#define NOBODY 2   /* as owner of the gate */
#define NEVER  100 /* as cut: the gate is open */
#define ENDED  0   /* as cut: no event passes */
#define CLOSED 100 /* added to the word of the closed block */
#define ROOM   (2 * (EVENTS_0 + EVENTS_1) + 1)
#define EVENTS(p) ((p) == 0 -> EVENTS_0 : EVENTS_1)

#define THREAD(p)   (1 + (p))
#define EVENT(p, k) (10 + (p) * EVENTS_0 + (k))

/* The lane. */
byte word;
byte place[ROOM + 1];
byte stamp[ROOM + 1];
byte lane_owner; /* 0: none; otherwise the process plus 1 */
byte turns;
byte gate_owner = NOBODY;
byte gate_cut = NEVER;
byte cut_done = NEVER, cut_place;

bool is_running = true;
byte now;

/* The processes. */
bool inside[2], transit[2], left[2], dead[2], done[2];
byte busy[2]; /* 1: its thread that has the lane; 2: the other one */

/* For the checks. */
byte committed[2];
byte lost[2];
byte kills;
byte cut = NEVER, found = NEVER;
bool is_over; /* the end of the session, or the snapshot */

#define DO(x)    atomic { !dead[me] -> x }
#define IS_FREE  (lane_owner == 0 || dead[lane_owner - 1])

proctype process(byte me)
{
	byte k, n, time, seen, sight_owner, sight_cut, sight_word, sight_now;
	bool has_lane;

next:
	DO(n = 0; time = 0; seen = 0; sight_owner = 0; sight_cut = 0; sight_word = 0; sight_now = 0;
	   if
	   :: k == EVENTS(me) -> goto finished
	   :: k < EVENTS(me) && has_lane -> goto enter_lane
	   :: else
	   fi);

/* model: take_lane */
#ifdef LEAVE
	DO(inside[me] = true);
	DO(if
	   :: transit[me] -> inside[me] = false; goto finished
	   :: else
	   fi);
#endif
	DO(seen = lane_owner);
	DO(if
	   :: seen != 0 && !IS_FREE -> inside[me] = false; lost[me]++; k++; goto next
	   :: else
	   fi);
#ifdef STORE_OWNER
	DO(lane_owner = me + 1; has_lane = true);
#else
	DO(if
	   :: lane_owner == seen -> lane_owner = me + 1; has_lane = true
	   :: else -> inside[me] = false; lost[me]++; k++; goto next
	   fi);
#endif

enter_lane:
/* model: enter_lane */
#ifdef LEAVE
	DO(inside[me] = false);
#ifdef BUSY_LATE
	DO(if
	   :: left[me] -> goto finished
	   :: else
	   fi);
	DO(busy[me] = 1);
#else
	DO(busy[me] = 1);
	DO(if
	   :: left[me] -> busy[me] = 0; goto finished
	   :: else
	   fi);
#endif
#endif
#ifdef TURN_LATE
	DO(if
	   :: gate_owner != me || now >= gate_cut || word >= ROOM -> seen = 0
	   :: else -> seen = 1
	   fi);
#endif
#ifndef NO_TURNS
	DO(turns = turns | 1);
#endif
#ifdef TURN_LATE
	if
	:: seen == 1 -> DO(time = now; n = word); goto write
	:: else
	fi;
#endif

again:
/* model: write_in_lane */
	DO(time = now);
	DO(if
	   :: gate_owner != me -> goto look
	   :: else
	   fi);
	DO(if
	   :: time >= gate_cut -> goto look
	   :: else
	   fi);
	DO(n = word;
	   if
	   :: n >= ROOM -> goto look
	   :: else
	   fi);
write:
	DO(place[n] = EVENT(me, k); stamp[n] = time);
	DO(assert(word < CLOSED); /* L2 */
	   word = n + 1;
	   committed[me]++;
	   k++;
	   goto exit_lane);

look:
	DO(if
	   :: !is_running || left[me] -> k = EVENTS(me); goto exit_lane
	   :: else
	   fi);
	DO(sight_owner = gate_owner; sight_cut = gate_cut);
	DO(sight_word = word; sight_now = now;
	   if
	   :: sight_word >= ROOM -> lost[me]++; k++; goto exit_lane
	   :: else
	   fi);

/* model: step_in_lane - the steps go_on and pass_cut of the other models */
	DO(if
	   :: !is_running || left[me] || gate_owner != sight_owner -> goto again
	   :: else
	   fi);
	DO(if
	   :: gate_cut != sight_cut || word != sight_word -> goto again
	   :: else
	   fi);
	DO(gate_owner = NOBODY);
	if
	:: sight_now >= sight_cut ->
		DO(cut_place = sight_word);
		DO(cut_done = sight_cut);
		DO(gate_cut = NEVER)
	:: else
	fi;
	if
	:: sight_owner != me ->
		DO(place[sight_word] = THREAD(me); stamp[sight_word] = sight_now);
		DO(assert(word < CLOSED); /* L2 */
		   word = sight_word + 1)
	:: else
	fi;
	DO(gate_owner = me; goto again);

exit_lane:
#ifndef NO_TURNS
	DO(n = turns);
	DO(turns = (n + 1) % 4);
#endif
	DO(busy[me] = 0; goto next);

finished:
	done[me] = true
}

/* model: leave_lanes - a thread of the first process, at the end of `ltt attach` or in ltt_probe_stop() */
proctype leaver()
{
	byte me;

	DO(transit[me] = true);
#ifndef NO_TRANSIT
	DO(!inside[me]);
#endif
	DO(left[me] = true);
#ifndef NO_BUSY
	DO(busy[me] == 0);
#endif
	DO(if
	   :: lane_owner == me + 1 -> lane_owner = 0
	   :: else
	   fi)
}

/* model: refuse_lane - a thread of the first process that has found the lane in the session before */
proctype stale()
{
	byte me, former;

	DO(former = busy[me]; busy[me] = 2);
#ifdef CLEAR_BUSY
	DO(busy[me] = 0)
#else
	DO(if
	   :: busy[me] == 2 -> busy[me] = former
	   :: else
	   fi)
#endif
}

/* model: wait_lane - until the event that is being written is complete, or its process is dead */
inline wait_lane()
{
	seen = turns;
	do
	:: seen % 2 == 0 || turns != seen -> break
#ifndef WAIT_DEAD
	:: IS_FREE -> break
#endif
	od
}

#ifdef SNAPSHOT
proctype snapshot()
{
	byte seen, end;

again:
	atomic { now + 1 < TICKS -> cut = now + 1 };
	gate_cut = cut;
	if
	:: now >= cut && gate_cut == cut -> gate_cut = NEVER; cut = NEVER; goto again
	:: now >= cut && gate_cut != cut -> cut = NEVER; goto again
	:: now < cut
	fi;
	now > cut;
	wait_lane();
	end = word;
	seen = gate_cut;
	if
	:: seen == cut -> found = end
	:: seen != cut && cut_done == cut -> found = cut_place
	:: else -> cut = NEVER; goto again
	fi;
	is_over = true
}
#else
/* model: close_lane */
proctype finish()
{
	byte seen, sight_owner, sight_cut, sight_word;

	is_running = false;
	gate_cut = ENDED;
	wait_lane();
#ifndef SHUT_ONCE
	/* A step may have passed a cut, and opened the gate again. */
	gate_cut = ENDED;
	wait_lane();
#endif
	sight_owner = gate_owner;
	sight_cut = gate_cut;
	sight_word = word;
	if
	:: gate_owner == sight_owner && gate_cut == sight_cut && word == sight_word && word < ROOM ->
		place[sight_word] = 0;
		word = sight_word + CLOSED
	:: else
	fi;
	is_over = true
}
#endif

/* Reads the file as after a crash. */
inline read_file()
{
	n = (word >= CLOSED -> word - CLOSED : word);
	who = NOBODY;
	do
	:: i == n -> break
	:: else ->
		assert(place[i] > 0); /* L1 */
		if
		:: place[i] <= THREAD(1) -> who = place[i] - 1
		:: else ->
			e = place[i] - 10;
			assert((e >= EVENTS_0) == who); /* L1 */
			seen[e]++
		fi;
		i++
	od;
	n = 0;
	e = 0;
	do
	:: e == EVENTS_0 + EVENTS_1 -> break
	:: else -> assert(seen[e] <= 1); n = n + seen[e]; e++ /* L1 */
	od;
	assert(n == committed[0] + committed[1]) /* L1 */
}

/* Kills a process, counts time. */
proctype machine()
{
	byte i, n, e, who;
	byte seen[EVENTS_0 + EVENTS_1];

	do
	:: atomic { kills < KILLS && !done[0] -> kills++; dead[0] = true }
	:: atomic { kills < KILLS && !done[1] -> kills++; dead[1] = true }
#ifdef SNAPSHOT
	:: atomic { now < TICKS -> now++ }
#endif
	:: timeout -> break
	od;
	assert((done[0] || dead[0]) && (done[1] || dead[1])); /* L3 */
	assert(is_over || (found == NEVER && cut == NEVER && is_running)); /* L3 */
	d_step {
		read_file();
		i = 0;
		do
		:: i == word || found == NEVER -> break
		:: else ->
			assert((i < found) == (stamp[i] < cut)); /* L4 */
			i++
		od
	}
}

init
{
	atomic {
#ifdef SNAPSHOT
		run snapshot();
#else
		if
		:: gate_cut = NEVER
		:: gate_cut = now + 1; now++ /* a cut that has passed */
		fi;
		run finish();
#endif
		run process(0);
		run process(1);
#ifdef LEAVE
		run leaver();
#endif
#ifdef STALE
		run stale();
#endif
		run machine()
	}
}
