#!/bin/sh
# deb.sh - makes the Debian packages for another architecture, and tries them under QEMU's user emulation.
#
# usage: deb.sh ARCHITECTURE FOLDER      the packages are in FOLDER/ARCHITECTURE/package/build/deb
set -eu
cd "$(dirname "$0")/../.."
. tests/cross/prepare.sh
prepare "$1" "$2"
need_packages dpkg-dev
sh tests/cross/database.sh "$folder"

eval "$(dpkg-architecture -a"$architecture" -f -s 2>/dev/null)"
export LTT_SYSROOT=$root
build_in package deb
ls "$folder/package/build/deb"

say "trying the packages"
dpkg-deb -f "$folder"/package/build/deb/libltt-probe0_*.deb Depends | grep -q '^libc6 ('
tried=$folder/tried
rm -rf "$tried"
cp -al "$root" "$tried"
for package in "$folder"/package/build/deb/*.deb; do
	[ "$(dpkg-deb -f "$package" Architecture)" = "$architecture" ] || [ "$(dpkg-deb -f "$package" Architecture)" = all ]
	dpkg-deb -x "$package" "$tried"
done
sh tests/cross/try-deb.sh "$tried" "$triplet" "$qemu" "$folder/trial"
