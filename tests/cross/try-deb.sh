#!/bin/sh
# try-deb.sh - builds a program against installed packages of another architecture, records it, and reads the trace.
#
# usage: try-deb.sh ROOT TRIPLET QEMU FOLDER      ROOT has the packages unpacked
set -eu
root=$1 triplet=$2 emulator="$3 -L $1" trial=$4
rm -rf "$trial"
mkdir -p "$trial"

# Scripts that call the emulator stand for the programs.
for folder in bin libexec/ltt; do
	python3 tests/cross/emulate.py "$emulator" "$root/usr/$folder"
done
PATH=$root/usr/bin:$PATH

cp samples/hash-files/* "$trial"
ltt compile --header "$trial/hash-files-trace.h" "$trial/hash-files.xml"
export PKG_CONFIG_LIBDIR="$root/usr/lib/$triplet/pkgconfig" PKG_CONFIG_SYSROOT_DIR=$root
"$triplet-gcc" --sysroot="$root" -O2 -pthread -o "$trial/hash-files" "$trial/hash-files.c" \
	$(pkg-config --cflags --libs ltt-probe)
python3 tests/cross/emulate.py "$emulator" "$trial"

files=$trial/files
mkdir "$files"
for i in 1 2 3 4 5 6 7; do
	head -c "${i}0000" /dev/zero >"$files/$i"
done
"$trial/hash-files" "$files" 2 >"$trial/untraced"
ltt record -o "$trial/trace" -- "$trial/hash-files" "$files" 2 >"$trial/traced"
sort "$trial/untraced" >"$trial/expected"
sort "$trial/traced" | cmp - "$trial/expected"
ltt check "$trial/trace"
ltt stat "$trial/trace"
[ "$(ltt dump --event hash_files.file_done "$trial/trace" | wc -l)" -eq 7 ]
[ "$(ltt sql "$trial/trace" 'SELECT sum(bytes) FROM hash_files_file_done' | tail -n 1 | tr -d ' ')" = 280000 ]
