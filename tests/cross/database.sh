#!/bin/sh
# database.sh - a database of dpkg for the packages that sysroot.sh has unpacked, from which dpkg-shlibdeps
# learns the package and the symbols of a library.
#
# usage: database.sh FOLDER      makes FOLDER/root/var/lib/dpkg
set -eu
folder=$(realpath "$1")
made=$folder/root/var/lib/dpkg
[ ! -e "$made/done" ] || exit 0
rm -rf "$made"
mkdir -p "$made/info" "$made/updates" "$made/triggers"
: >"$made/status"
echo 1 >"$made/info/format"
for package in "$folder"/apt/cache/archives/*.deb; do
	name=$(dpkg-deb -f "$package" Package):$(dpkg-deb -f "$package" Architecture)
	case $(dpkg-deb -f "$package" Multi-Arch) in
	same) file=$made/info/$name ;;
	*) file=$made/info/${name%:*} ;;
	esac
	dpkg-deb --ctrl-tarfile "$package" | tar -x -O ./symbols >"$file.symbols" 2>/dev/null || rm -f "$file.symbols"
	dpkg-deb --ctrl-tarfile "$package" | tar -x -O ./shlibs >"$file.shlibs" 2>/dev/null || rm -f "$file.shlibs"
	# Files have the names by which they are found here; /lib is a link to /usr/lib.
	dpkg-deb --fsys-tarfile "$package" | tar -t |
		sed -En "s#^\./(s?bin/|lib)#./usr/\1#; s#^\./(.*[^/])\$#$folder/root/\1#p" >"$file.list"
	dpkg-deb -f "$package" | sed 's/^Version:/Status: install ok installed\n&/' >>"$made/status"
	echo >>"$made/status"
done
touch "$made/done"
