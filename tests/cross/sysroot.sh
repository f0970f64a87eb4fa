#!/bin/sh
# sysroot.sh - the libraries and headers of another architecture of Debian, in a folder.
#
# usage: sysroot.sh ARCHITECTURE FOLDER PACKAGE...      makes FOLDER/root
#
# apt resolves and downloads the packages with a state of its own in FOLDER, and they are unpacked
# without their scripts, so that the packages of this machine do not change.
set -eu

architecture=$1
folder=$(realpath -m "$2")
shift 2
[ ! -e "$folder/done" ] || exit 0
mkdir -p "$folder/apt/state/lists/partial" "$folder/apt/cache/archives/partial"
: >"$folder/apt/status"

apt() {
	apt-get -q -o Dir::State="$folder/apt/state" -o Dir::State::status="$folder/apt/status" \
		-o Dir::Cache="$folder/apt/cache" -o APT::Architecture="$architecture" \
		-o APT::Architectures::="$architecture" -o APT::Sandbox::User="$(id -un)" "$@"
}

apt update
apt install --download-only --yes --no-install-recommends "$@"
for name in bin sbin lib lib64; do
	mkdir -p "$folder/root/usr/$name"
	ln -sfn "usr/$name" "$folder/root/$name"
done
for package in "$folder"/apt/cache/archives/*.deb; do
	dpkg-deb --fsys-tarfile "$package" | tar -x --keep-directory-symlink --no-same-owner -C "$folder/root"
done
# Links to absolute paths would lead out of the folder.
find "$folder/root" -type l -lname '/*' | while read -r link; do
	ln -sfnr "$folder/root$(readlink "$link")" "$link"
done
touch "$folder/done"
