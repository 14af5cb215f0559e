/**
 * The supervisor of one run (docs/architecture.md §4), for any POSIX `sh`. Started as
 * `sh -c SCRIPT hive-supervisor <runDir> <1|0: record trees> <begun at> -- argv…`, in the workspace.
 * Nothing is interpolated: what varies comes in as arguments. Its variables begin with `hive_`, because
 * assigning a variable that came in through the environment would change the agent's environment.
 *
 * Leaves in the run directory: `started`, `before-head`, `before`, `agent`, `stdout.log`, `stderr.log`, `after`,
 * `tree-error` (why a tree is missing or partial), and `exit`, always last. A file `stop` there, made by someone else,
 * keeps the agent from being started.
 */
export const supervisorScript = String.raw`
hive_run=$1 hive_trees=$2 hive_at=$3
shift 4

# A handler, not '': an ignored signal would stay ignored in the agent.
trap : TERM INT HUP
# Files of a run are created once; with noclobber a file or link that is already there is refused.
set -C
hive_mask=$(umask)
umask 077

# Sets hive_pid and hive_start for the shell that calls it, subshells included ($$ would name the parent).
identify() {
	if read -r hive_pid hive_stat </proc/self/stat; then
		# Start time is field 22. Field 2, the program's name, has no blank here: it is this shell.
		set -- $hive_stat
		shift 20
		hive_start=$1
	else
		hive_pid=$(exec sh -c 'echo "$PPID"')
		set -- $(LC_ALL=C TZ=UTC ps -o lstart= -p "$hive_pid")
		hive_start=$*
	fi
}

# Links a complete file to its final name: atomic, and refused for all but the first.
begin() {
	identify
	read -r hive_boot </proc/sys/kernel/random/boot_id || hive_boot=$(sysctl -n kern.bootsessionuuid)
	printf '{"pid":%s,"startTime":"%s","bootId":"%s","at":"%s"}\n' \
		"$hive_pid" "$hive_start" "$hive_boot" "$hive_at" >|"$hive_run/started.$hive_pid" &&
		command -p ln "$hive_run/started.$hive_pid" "$hive_run/started"
}

# git on the index that $1 names, without programs that the repository configures.
plain_git() {
	export GIT_INDEX_FILE="$hive_run/$1.index"
	shift
	git -c core.hooksPath=/dev/null -c core.fsmonitor=false -c core.safecrlf=false -c core.splitIndex=false \
		-c core.fsync=committed -c core.fsyncMethod=batch "$@"
}

# The programs that git add would run, as they are configured. Agents can configure more of them.
filters() (
	unset GIT_DIR GIT_WORK_TREE
	git config --get-regexp '^filter[.]'
)

# The usual paths of an index, in a main and in a linked work tree, are known without asking git. Without its .git file a
# linked work tree would pass for a part of the one around it.
find_index() (
	unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE
	if [ -d .git ]; then
		echo .git/index
	elif [ -f .git ]; then
		read -r hive_word hive_index <.git
		echo "$hive_index/index"
	else
		git rev-parse --git-path index
	fi
)

# For a file that is written next: an agent may have put a link there, which leads elsewhere (noclobber sees to the rest).
make_way() {
	for hive_name; do command -p rm -f "$hive_run/$hive_name"; done
}

# A repository without a commit has none to keep.
keep_head() {
	git rev-parse --quiet --verify HEAD >"$hive_run/before-head" || command -p rm "$hive_run/before-head"
}

# All of the work tree, untracked files included, in an index of the run's own that starts as the user's: so git reads
# only the files that changed. A subshell, since it changes variables.
stage_tree() (
	umask "$hive_mask"
	unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE
	if [ "$1" = after ] && [ "$(filters)" != "$hive_filters" ]; then
		echo 'The filters of git changed during the run.' >&2
		exit 2
	fi
	# Read while git adds, for as soon as the agent runs it may commit.
	[ "$1" != before ] || keep_head &
	if [ "$1" = after ] && [ "$(find_index)" != "$hive_index" ]; then
		echo 'The workspace is not in the work tree any more that it was in before the run.' >&2
		exit 2
	fi
	# A link will do, since git replaces an index and never writes into one; on another disk it is a copy. -p: git takes
	# a file as unchanged when it is older than the index, so a copy must not look younger than it is.
	[ ! -e "$hive_index" ] || command -p ln "$hive_index" "$hive_run/$1.index" ||
		command -p cp -p "$hive_index" "$hive_run/$1.index"
	plain_git "$1" add -A --sparse --ignore-errors -- :/
	hive_status=$?
	wait
	exit "$hive_status"
) 2>"$hive_run/$1.errors"

# 1 from git add: some files could not be read, the rest is staged. More: there is nothing to go by.
keep_tree() (
	umask "$hive_mask"
	unset GIT_DIR GIT_WORK_TREE
	[ "$2" -eq 0 ] || {
		make_way tree-error
		command -p cp "$hive_run/$1.errors" "$hive_run/tree-error"
	}
	[ "$2" -le 1 ] || exit
	plain_git "$1" write-tree >"$hive_run/$1.tmp" &&
		command -p mv "$hive_run/$1.tmp" "$hive_run/$1"
)

# In the foreground: a shell without job control starts what is in the background with INT and QUIT ignored. The shell
# waits for this one process, however long its children hold the output open, and runs its traps afterwards.
run_agent() (
	identify
	printf '{"pid":%s,"startTime":"%s"}\n' "$hive_pid" "$hive_start" >"$hive_run/agent"
	exec </dev/null >"$hive_run/stdout.log" 2>"$hive_run/stderr.log"
	umask "$hive_mask"
	# The agent id travels to here under another name, so that only the agent's tree carries it.
	[ -z "$HIVE_SUPERVISED" ] || export HIVE_AGENT_ID="$HIVE_SUPERVISED"
	unset HIVE_SUPERVISED
	exec "$@"
)

finish() {
	hive_signal=
	if [ "$1" -gt 128 ] && hive_name=$(kill -l "$1"); then hive_signal=",\"signal\":\"SIG$hive_name\""; fi
	hive_now=$(date -u +%Y-%m-%dT%H:%M:%S.%3NZ)
	# Not every date knows %N.
	case $hive_now in *N*) hive_now=$(date -u +%Y-%m-%dT%H:%M:%SZ) ;; esac
	make_way "started.$hive_pid" before.index before.errors after.index after.errors exit.tmp
	printf '{"exitCode":%s%s,"finishedAt":"%s"}\n' "$1" "$hive_signal" "$hive_now" >"$hive_run/exit.tmp" &&
		command -p mv "$hive_run/exit.tmp" "$hive_run/exit"
}

# Where the run directory is, its links resolved.
real_path() (cd -P "$hive_run" && pwd -P)

# Without an exit on record it would count as alive, so what it adopted ends before it does.
abandon() {
	cd /
	exec /usr/bin/perl -tfe 'while (open my $in, "<", "/proc/$$/task/$$/children") {
		my @left = split " ", <$in> // "" or last;
		kill KILL => @left;
		wait;
	}'
}

begin || {
	command -p rm -f "$hive_run/started.$hive_pid"
	exit
}
hive_path=$(real_path)
if [ "$hive_trees" = 1 ]; then
	hive_filters=$(filters)
	hive_index=$(find_index)
	stage_tree before
	# Done before the agent runs: git write-tree, too, runs filters, for files that are as young as the index.
	keep_tree before $?
fi
if [ -e "$hive_run/stop" ]; then
	hive_code=143
else
	# A session of its own for the agent. Both keep the pid, because a child of this shell leads no group; macOS has no
	# setsid. With job control alone the shell takes an agent that is frozen for one that has ended.
	if command -v setsid; then
		set -- setsid -- "$@"
	elif command -v perl; then
		set -- perl -e 'use POSIX (); POSIX::setsid(); exec {$ARGV[0]} @ARGV or die "$ARGV[0]: $!\n"' -- "$@"
	else
		set -m
	fi
	# bash with job control goes straight to the end of this "if" when the agent dies of INT.
	hive_code=130
	run_agent "$@"
	hive_code=$?
fi
set +m
# From here a signal must not cut a wait short.
trap '' TERM INT HUP
# An agent that put something else there has its run vanish: nothing is written elsewhere.
[ "$(real_path)" = "$hive_path" ] || abandon
if [ "$hive_trees" = 1 ]; then
	make_way after.errors after.index after.tmp
	stage_tree after
	keep_tree after $?
fi
finish "$hive_code" || abandon
# What the agent's tree left behind has this process as its parent (see adopter.ts). It stays as long as any is there, so
# that they and what they start are still found. Not every system reports children without being asked by a wait.
hive_children=unknown
read -r hive_children </proc/$$/task/$$/children
[ -n "$hive_children" ] || exit
cd /
exec /usr/bin/perl -tfe '1 while wait > 0'
`;
