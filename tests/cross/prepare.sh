# prepare.sh - the compiler, the libraries and the emulator of another architecture.
#
# Sourced, from the top of the source, not run: . tests/cross/prepare.sh; prepare ARCHITECTURE FOLDER; build_in COPY TARGET...
. tests/packages.sh

# Sets: architecture, triplet; folder, for all that is made; root, with the libraries; emulator, a command
prepare() {
	architecture=$1
	folder=$(realpath -m "$2")/$architecture
	case $architecture in
	arm64) triplet=aarch64-linux-gnu qemu=qemu-aarch64 ;;
	s390x) triplet=s390x-linux-gnu qemu=qemu-s390x ;;
	*)
		say "$architecture: not one of arm64 and s390x" >&2
		exit 2
		;;
	esac
	mkdir -p "$folder"
	need_packages $build_packages "gcc-$triplet" "g++-$triplet" qemu-user python3

	say "downloading libraries for $architecture"
	sh tests/cross/sysroot.sh "$architecture" "$folder" libc6-dev libstdc++-12-dev libglib2.0-dev libxml2-dev libarchive-dev \
		libzstd-dev zlib1g-dev libsqlite3-dev libedit-dev libdw-dev libmicrohttpd-dev libcunit1-dev libpango1.0-dev \
		libpython3-dev >"$folder.log" 2>&1 || {
		tail "$folder.log" >&2
		exit 1
	}
	root=$folder/root
	emulator="$qemu -L $root"
}

# Builds targets in a copy of the source, which is kept, so that a second run only builds what has changed. The copy has signatures
# of its own: with those of the source, SCons would take its older objects for those of the source.
build_in() {
	copy=$folder/$1
	shift
	mkdir -p "$copy"
	tar -c --exclude=./build --exclude=./.git --exclude=./.sconsign.dblite --exclude=./viewer/node_modules . | tar -x -C "$copy"
	say "building for $architecture"
	(cd "$copy" && PKG_CONFIG_LIBDIR="$root/usr/lib/$triplet/pkgconfig:$root/usr/share/pkgconfig" PKG_CONFIG_SYSROOT_DIR=$root \
		LTT_PYTHON_INCLUDE="$(echo "$root"/usr/include/python3.*)" \
		scons -Q -j"$(nproc)" CC="$triplet-gcc --sysroot=$root" CXX="$triplet-g++ --sysroot=$root" \
		TEST_CC="$triplet-gcc --sysroot=$root" TEST_CXX="$triplet-g++ --sysroot=$root" SANITIZERS= EMULATOR="$emulator" \
		"$@") >"$folder.log" 2>&1 || {
		tail -n 30 "$folder.log" >&2
		exit 1
	}
}
