# packages.sh - for the scripts that set things up: installs Debian packages that are missing.
#
# Sourced, not run: . tests/packages.sh; need_packages gcc scons

# Says what the calling script does.
say() {
	printf '%s: %s\n' "${0##*/}" "$*"
}

# Installs those of the packages that are not there, as root or through sudo. apt-get is not called if
# nothing is missing, so that a second run needs no network.
need_packages() {
	missing=
	for package in "$@"; do
		case $(dpkg-query -W -f '${Status}' "$package" 2>/dev/null) in
		*' ok installed') ;;
		*) missing="$missing $package" ;;
		esac
	done
	[ -n "$missing" ] || return 0

	as_root=
	if [ "$(id -u)" -ne 0 ]; then
		if ! command -v sudo >/dev/null; then
			say "not root and no sudo; please have these packages installed:$missing" >&2
			return 1
		fi
		as_root=sudo
	fi
	say "installing:$missing"
	$as_root env DEBIAN_FRONTEND=noninteractive apt-get -q update &&
		$as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -y --no-install-recommends install $missing
}

# Makes a virtual environment with the Python packages of a list, whose versions are pinned, unless it has them.
#
# usage: need_python FOLDER LIST
need_python() {
	cmp -s "$2" "$1/installed" && return 0
	say "installing Python packages in $1: $(grep -v '^#' "$2" | tr '\n' ' ')"
	python3 -m venv "$1" && "$1/bin/pip" -q install --disable-pip-version-check -r "$2" && cp "$2" "$1/installed"
}

# Installs what builds the page of `ltt view`, and what tests it, where npm is there.
need_viewer() {
	cmp -s viewer/package-lock.json viewer/node_modules/installed && return 0
	command -v npm >/dev/null || return 0
	say "installing the packages of viewer/package-lock.json"
	if npm ci --silent --ignore-scripts --prefix viewer; then
		cp viewer/package-lock.json viewer/node_modules/installed
	else
		say "could not install them"
	fi
}

# Installs packages of npm, where npm is there: the tests that use them are skipped otherwise. One command
# installs all of them, because npm removes those that an earlier one installed.
# usage: need_npm FOLDER PACKAGE@VERSION...
need_npm() {
	folder=$1
	shift
	missing=
	for package in "$@"; do
		[ -d "$folder/node_modules/${package%@*}" ] || missing=1
	done
	[ -n "$missing" ] && command -v npm >/dev/null || return 0
	say "installing in $folder: $*"
	npm install --silent --ignore-scripts --no-save --prefix "$folder" "$@" || say "could not install $*"
}

# What it takes to build libltt and its programs.
build_packages='gcc g++ libc6-dev scons pkg-config libglib2.0-dev libxml2-dev libarchive-dev libzstd-dev'
build_packages="$build_packages zlib1g-dev python3-dev libsqlite3-dev libedit-dev libdw-dev libmicrohttpd-dev libpango1.0-dev"

# What the tests and `scons lint` take besides.
test_packages='clang lld libclang-rt-14-dev libcunit1-dev libxml2-utils clang-format clang-tidy cppcheck pyflakes3 babeltrace2 python3-bt2'
test_packages="$test_packages man-db mandoc bash-completion zsh dpkg-dev zstd lintian qemu-system-x86"
test_packages="$test_packages llvm liblzma-dev linux-perf gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user python3-venv chromium abigail-tools nginx-light openjdk-17-jre-headless iproute2 spin strace valgrind"
