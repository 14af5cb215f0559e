#!/bin/sh
# Installs hive with npm for this user, or says what is missing. Arguments go to "npm install".
set -eu

package=@hive-colony/hive

fail() {
	printf '%s\n' "$@" >&2
	exit 1
}

# True if version $1 is at least $2.$3.
is_at_least() {
	major=${1%%.*}
	rest=${1#*.}
	minor=${rest%%.*}
	[ "$major" -gt "$2" ] || { [ "$major" -eq "$2" ] && [ "$minor" -ge "$3" ]; }
}

case $(uname -s) in
Linux | Darwin) ;;
*) fail "hive runs on Linux and macOS, not on $(uname -s)." ;;
esac

for program in node npm git perl; do
	command -v "$program" >/dev/null || fail "hive needs $program, which is not on PATH. Install it, then run this again."
done

node=$(node -p process.versions.node)
is_at_least "$node" 20 19 || fail "hive needs Node 20.19 or newer; this is $node."
git=$(git --version | sed 's/[^0-9]*\([0-9]*\.[0-9]*\).*/\1/')
is_at_least "$git" 2 38 || fail "hive needs git 2.38 or newer; this is $git."

npm install --global "$package" "$@" ||
	fail "npm could not install $package." \
		"If its folder belongs to another user: npm config set prefix ~/.local, put ~/.local/bin on PATH, and run this again."

printf '%s\n' 'hive is installed. Next, in a repository: hive' 'To see it work first: hive demo'
