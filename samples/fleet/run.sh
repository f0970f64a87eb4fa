#!/bin/sh
# run.sh - traces a job of several machines, ships the traces as archives, and asks questions of them.
#
# usage: sh samples/fleet/run.sh OUT [WORKERS [TASKS]]      as root, in the source tree, after scons
#
# Each machine is a network namespace with a name and a wall clock of its own. OUT is a new folder:
#
#	OUT/shipped/*.tar.zst   the traces
#	OUT/merged              all of them on the clock of the coordinator, by `ltt merge --sync`
#	OUT/picture.html        the job as one page
#
# With PYTHON, an interpreter that has the packages of tests/requirements.txt, ten questions are asked by
# Spark and by ClickHouse (ask.py).
set -eu

out=$1
workers=${2:-3}
tasks=${3:-300}
built=${LTT_BUILT:-build}
ltt=$built/bin/ltt
here=$(dirname "$0")
rule=fleet.message_send:id=fleet.message_receive:id
space=ltt-fleet-$$

mkdir "$out" "$out/shipped"
trap 'for i in $(seq 0 "$workers"); do ip netns delete "$space-$i" 2>/dev/null || true; done' EXIT
cc -shared -fPIC -o "$out/clock.so" "$here/clock.c"

# A bridge on the machine of the coordinator, number 0, and a pair of interfaces to each worker.
for i in $(seq 0 "$workers"); do
	ip netns add "$space-$i"
	ip -n "$space-$i" link set lo up
done
ip -n "$space-0" link add bridge0 type bridge
ip -n "$space-0" address add 10.78.0.1/24 dev bridge0
ip -n "$space-0" link set bridge0 up
for i in $(seq "$workers"); do
	ip -n "$space-0" link add "to$i" type veth peer name eth0 netns "$space-$i"
	ip -n "$space-0" link set "to$i" master bridge0 up
	ip -n "$space-$i" address add "10.78.0.$((i + 1))/24" dev eth0
	ip -n "$space-$i" link set eth0 up
done

# on MACHINE COMMAND...: runs a command there, with the clock ahead by 137 ms times the number.
on() {
	machine=$1
	shift
	ip netns exec "$space-$machine" unshare --uts sh -c 'hostname "machine-$0"; exec "$@"' "$machine" \
		env LD_PRELOAD="$out/clock.so" CLOCK_OFFSET_MS=$((machine * 137)) "$@"
}

on 0 "$ltt" record -o "$out/machine-0" -- "$built/samples/fleet" coordinator 7000 "$tasks" "$workers" &
others=$!
for i in $(seq "$workers"); do
	on "$i" "$ltt" record -o "$out/machine-$i" -- "$built/samples/fleet" worker 10.78.0.1 7000 "$i" &
	others="$others $!"
done
for each in $others; do
	wait "$each"
done

# Namespaces share the boot id of the machine, by which `ltt sync` knows traces of the same clock.
for i in $(seq 0 "$workers"); do
	sed -i -E 's/ *(boot_id|clock_max_error)="[^"]*"//' "$out/machine-$i/info/system.xml"
	"$ltt" pack "$out/machine-$i" -o "$out/shipped/machine-$i.tar.zst"
done

"$ltt" sync --by "$rule" "$out"/shipped/*.tar.zst
"$ltt" merge --sync "$rule" -o "$out/merged" "$out"/shipped/*.tar.zst
"$ltt" stat "$out/merged"
if "$ltt" view --html "$out/picture.html" "$out/merged"; then
	echo "$out/picture.html shows the job"
fi
if [ -n "${PYTHON:-}" ]; then
	PYTHONPATH=$built/python PYSPARK_PYTHON=$PYTHON "$PYTHON" "$here/ask.py" "$ltt" "$out"/shipped/*.tar.zst
fi
