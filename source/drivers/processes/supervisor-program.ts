/**
 * The supervisor of one run (docs/architecture.md §4), the part of the launcher's program that goes on in the forked
 * process. It is there before its run, and looks at the workspace meanwhile: nothing is written for it before the run has begun, and it
 * is gone where none is to. It says over its pipe `launched <pid>` or `failed <errno> <words>`, `ended` when the exit is on record, and
 * `free` when nothing is left of the run, so that it may have another: each process that it has below it is of one run.
 *
 * Leaves in the run directory: `started`, `before-head`, `before`, `agent`, `stdout.log`, `stderr.log`, `stdout.times` and
 * `stderr.times` (a line `<size> <seconds since 1970>` for each second in which the log grew), `after`, `tree-error` (why a
 * tree is missing or partial), and `exit`, always last. A file `stop` there, made by someone else, keeps the agent from being
 * started.
 */
export const supervisorProgram = String.raw`
use strict;
use POSIX ();
use Cwd ();

my ($prctl, $gettimeofday, $memfd_create, $madvise) = @ARGV;
my $boot = read_file('/proc/sys/kernel/random/boot_id') // qx(/usr/sbin/sysctl -n kern.bootsessionuuid);
chomp $boot;
my %signals = map { (POSIX->can("SIG$_")->(), $_) } qw(HUP INT QUIT ILL TRAP ABRT BUS FPE KILL USR1 SEGV USR2 PIPE ALRM TERM);
# The environment of git, and the file mode of agents and of git.
my ($quiet, $mask);
# By pid of a child that is waited for, or will be: how it has ended.
my %ended;
my @deafness = qw(TERM INT HUP PIPE USR1);
$0 = 'hive-launcher';
chdir '/';

# One run after the other: a new process for each would cost more than all else that a supervisor does.
sub supervise {
	my ($mouth, $orders) = @_;
	POSIX::setsid();
	$SIG{$_} = 'IGNORE' for @deafness;
	$mask = umask 077;
	my $say = sub { syswrite $mouth, "$_[0]\n" };
	# Adopts every orphan among its descendants, as the first process of the machine would otherwise (PR_SET_CHILD_SUBREAPER): a
	# process stays below it whatever it does to its session, its environment and its parents.
	my $adopts = $prctl && syscall($prctl, 36, 1, 0, 0, 0) == 0;
	# Whether the last run had git look at its workspace before it: the next one is likely to, and waits for it.
	my $asks_git = 0;
	1 while supervise_run($orders, $say, $adopts, \$asks_git);
}

# Answers with whether this process may have another run.
sub supervise_run {
	my ($orders, $say, $adopts, $asks_git) = @_;
	chdir '/';
	$0 = 'hive-supervisor';
	have_ready('agent', $$asks_git ? 'git' : ());
	unshare_pages() if $$asks_git && !is_told($orders, 0.02);
	my ($workspace, $trees) = fields(hear_frame($orders) // return 0);
	$$asks_git = $trees eq '1';
	if (!chdir $workspace) {
		$say->('failed ' . errno());
		return 0;
	}
	my $launch;
	my $hear = sub {
		local $SIG{USR1} = 'IGNORE';
		$launch ||= begin($orders, $say, $workspace);
	};
	# It may be told while git is at work: it says at once that it has begun, and has the agent ready.
	$SIG{USR1} = $hear;
	$hear->() if is_told($orders, 0);
	my $tree = $trees && tree_of($workspace, $trees);
	# Done before the agent runs: git write-tree, too, runs filters, for files that are as young as the index.
	my $before = $tree && $tree->('before');
	$SIG{USR1} = 'IGNORE';
	$hear->();
	my $run = $launch->{run} // return 0;
	$0 = "hive-supervisor $run";
	note_look($run, 'before', $before) if $before;
	dismiss_ready();
	my $status = end_of_agent($run, $launch->{agent});
	# What was in a terminal that nobody holds any more was told so by the system, and has a moment to end.
	end_tree() if $status & 127 && $launch->{is_session} && !-e "$run/stop";
	# An agent that put something else there has its run vanish: nothing is written elsewhere.
	return abandon() if (Cwd::abs_path($run) // '') ne $launch->{place};
	# Before git looks, for whoever is there may write while it does.
	my $left_nothing = $adopts && !has_children();
	note_look($run, 'after', $tree->('after')) if $tree;
	return abandon() unless finish($run, $status, $left_nothing);
	# Whoever stops a run asks it to before looking whether it has ended, and it has by now: nobody takes this process for that run's.
	my $is_free = $left_nothing && !-e "$run/stop" && !has_children();
	$say->($is_free ? "ended\nfree" : 'ended');
	return 1 if $is_free;
	# What the agent's tree left behind has this process as its parent. It stays as long as any is there, so that they and
	# what they start are still found.
	chdir '/';
	$0 = 'hive-supervisor';
	1 while waitpid(-1, 0) > 0;
	return 0;
}

# What the system takes for one program: one text, and all with their pointers.
sub is_too_large {
	my $all = 0;
	for (@_) {
		return 1 if $^O eq 'linux' && length >= 32 * POSIX::sysconf(POSIX::_SC_PAGESIZE());
		$all += 9 + length;
	}
	# Some systems answer with the least that POSIX asks for.
	my $most = POSIX::sysconf(POSIX::_SC_ARG_MAX());
	return $most > 131072 && $all > $most;
}

sub is_told {
	my ($orders, $seconds) = @_;
	vec(my $ears = '', fileno $orders, 1) = 1;
	return select($ears, undef, undef, $seconds) > 0;
}

# Waits for the next that is told there, and answers with what is in its frame; nothing where no more is told.
sub hear_frame {
	my ($from) = @_;
	my ($frame, $size) = ('', 4);
	while (length $frame < $size) {
		my $got = sysread $from, $frame, $size - length $frame, length $frame;
		next if !defined $got && $! == POSIX::EINTR();
		return unless $got;
		$size = 4 + unpack 'N', $frame if length $frame == 4;
	}
	return substr $frame, 4;
}

# Waits until it is told what to start. Answers with the run, where this is the first to begin it.
sub begin {
	my ($orders, $say, $workspace) = @_;
	my $told = hear_frame($orders) // return {};
	my ($run, $at, $since, $input, @texts) = fields($told);
	my ($argv, $environment) = argv_and_environment(@texts);
	if (is_too_large(@$argv, map "$_=$environment->{$_}", keys %$environment)) {
		$! = POSIX::E2BIG();
		$say->('failed ' . errno());
		return {};
	}
	$say->("launched $$");
	return {} unless note_start($run, $at, $since);
	my $agent = tell_ready('agent', pack('N/a*', $workspace) . $told);
	if ($agent) {
		# Nobody has waited for it yet, so it is in the table even where it is gone.
		$agent->{start} = start_of($agent->{pid});
	} else {
		create("$run/stderr.log", "$argv->[0]: $!\n");
	}
	# Asked while no agent is there that could remove it.
	return {run => $run, place => scalar Cwd::abs_path($run), is_session => -e "$run/session.json", agent => $agent};
}

# Links a complete file to its final name: atomic, and refused for all but the first.
sub note_start {
	my ($run, $at, $since) = @_;
	my $start = start_of($$);
	my $draft = "$run/started.$$";
	my $is_first = create($draft, qq({"pid":$$,"startTime":"$start","bootId":"$boot","at":"$at","since":"$since"}\n))
		&& link $draft, "$run/started";
	unlink $draft;
	return $is_first;
}

sub finish {
	my ($run, $status, $left_nothing) = @_;
	my $signal = $status & 127;
	my $code = $signal ? 128 + $signal : $status >> 8;
	my $name = $signals{$signal} ? qq(,"signal":"SIG$signals{$signal}") : '';
	my $left = $left_nothing ? ',"leftNothing":true' : '';
	my $now = now();
	return place("$run/exit", qq({"exitCode":$code$name,"finishedAt":"$now"$left}\n));
}

# Reaps, and tells whether any is there after that.
sub has_children {
	my $found;
	1 while ($found = waitpid -1, POSIX::WNOHANG()) > 0;
	return $found == 0;
}

sub end_tree {
	for (1 .. 50) {
		return unless has_children();
		select undef, undef, undef, 0.1;
	}
	kill_children();
}

# Without an exit on record it would count as alive, so what it adopted ends before it does.
sub abandon {
	chdir '/';
	kill_children();
	return 0;
}

# Who is below them comes to this process then.
sub kill_children {
	while (my $left = read_file("/proc/$$/task/$$/children")) {
		kill KILL => split ' ', $left;
		waitpid -1, 0;
	}
}

# When a process started, as the process table has it.
sub start_of {
	my ($pid) = @_;
	my $stat = read_file("/proc/$pid/stat");
	return (split ' ', substr $stat, rindex($stat, ')') + 2)[19] if defined $stat;
	local @ENV{qw(LC_ALL TZ)} = qw(C UTC);
	return join ' ', split ' ', qx(/bin/ps -o lstart= -p $pid);
}

# Whoever else of its children ends meanwhile is reaped too.
sub wait_for {
	my ($pid) = @_;
	$ended{$pid} //= undef;
	until (defined $ended{$pid}) {
		my $found = waitpid -1, 0;
		last if $found < 0 && $! != POSIX::EINTR();
		$ended{$found} = $? if exists $ended{$found};
	}
	return delete $ended{$pid} // -1;
}

sub now {
	my $time = pack 'l!2', time, 0;
	$gettimeofday ? syscall($gettimeofday, $time, 0) : eval { require Time::HiRes; $time = pack 'l!2', Time::HiRes::gettimeofday() };
	my ($seconds, $micros) = unpack 'l!2', $time;
	my ($second, $minute, $hour, $day, $month, $year) = gmtime $seconds;
	return sprintf '%04d-%02d-%02dT%02d:%02d:%02d.%03dZ', 1900 + $year, 1 + $month, $day, $hour, $minute, $second, $micros / 1000;
}

# Files of a run are created once; a file or link that is already there is refused.
sub new_file {
	sysopen my $file, $_[0], POSIX::O_RDWR() | POSIX::O_CREAT() | POSIX::O_EXCL(), 0600 or return;
	return $file;
}

sub old_file {
	open my $file, '<', $_[0] or return;
	return $file;
}

sub create {
	my ($path, $text) = @_;
	my $file = new_file($path) or return;
	return syswrite($file, $text) == length $text;
}

# A complete file under its name at once. An agent may have put a link where it is written first, which leads elsewhere.
sub place {
	my ($path, $text) = @_;
	unlink "$path.tmp";
	return create("$path.tmp", $text) && rename "$path.tmp", $path;
}

sub connect_to {
	my ($number, $file) = @_;
	return $file && POSIX::dup2(fileno $file, $number);
}

sub read_file {
	my $file = old_file($_[0]) or return;
	local $/;
	return scalar <$file>;
}

sub errno { ($! + 0) . " $!" }
`;
