# The supervisor of one run (docs/architecture.md §4). It starts the agent of the run, adopts every orphan of
# the agent's tree, and records the end. It is started in the workspace, in a session of its own and with an
# empty environment, as
#
#   perl -f supervisor.pl <run directory> <number of prctl(2), 0 where there is none>
#
# It writes `ready` to standard output, then reads the launch from standard input, as supervisor.ts packs it.
# Then it writes `launched`, or `failed <errno> <words>`; and `ended` when the exit is recorded.
#
# It creates in the run directory, in this order: `started`, the launch's files, `stderr.log`, `stdout.log`,
# `agent`, `stdout.times` and `stderr.times` (a line `<size> <seconds since 1970>` for each second in which the
# log grew), the files of the launch's program that runs after the agent, and `exit`. If another process has made
# a file `stop` there, the agent is not started.
use strict;
use warnings;
use POSIX ();

my ($run, $prctl) = @ARGV;
# Ignored here; agents and other programs receive them as usual.
my @ignored = qw(TERM INT HUP PIPE);
my %signal_names = map { (POSIX->can("SIG$_")->(), $_) } qw(HUP INT QUIT ILL TRAP ABRT BUS FPE KILL USR1 SEGV USR2 PIPE ALRM TERM);

$SIG{$_} = 'IGNORE' for @ignored;
$0 = "hive-supervisor $run";
my $mask = umask 077;
# Orphans below this process become its children, whatever they do to their session, environment and parents
# (PR_SET_CHILD_SUBREAPER).
my $adopts = $prctl && syscall($prctl, 36, 1, 0, 0, 0) == 0;

say_word('ready');
supervise(read_launch() // exit);

sub supervise {
	my ($launch) = @_;
	my ($argv, $environment) = @$launch{qw(argv environment)};
	if (is_too_large(@$argv, @$environment)) {
		$! = POSIX::E2BIG();
		return say_word('failed ' . ($! + 0) . " $!");
	}
	say_word('launched');
	note_start($launch->{at}) or return;
	my $place = place_of($run);
	my %files = @{$launch->{files}};
	place("$run/$_", $files{$_}) for sort keys %files;
	my $status = run_agent($launch);
	# The system has notified the processes in a session's terminal that it was closed. They get a moment to
	# end.
	end_tree() if $status & 127 && $launch->{is_session} && !-e "$run/stop";
	chdir '/';
	# If the agent replaced the run directory, the supervisor writes nothing there, and the run counts as
	# vanished.
	return kill_children() if place_of($run) ne $place;
	# Checked before the next program starts: a remaining process may write while that program reads the
	# workspace.
	my $left_nothing = $adopts && !has_children();
	run_after(@$launch{qw(after after_environment after_input)});
	# A supervisor without a recorded exit counts as alive, so the processes that it adopted must end before it.
	finish($status, $left_nothing) or return kill_children();
	say_word('ended');
	# Orphans of the agent's tree are found by their parent, so this process stays until the last one has ended.
	$0 = 'hive-supervisor';
	1 while waitpid(-1, 0) > 0;
}

sub say_word { syswrite STDOUT, "$_[0]\n" }

# Reads the launch. Returns nothing if hive died before it had written all of it.
sub read_launch {
	local $/;
	my $text = <STDIN> // '';
	open STDIN, '<', '/dev/null';
	return if length $text < 4;
	my ($size, $fields) = unpack 'N a*', $text;
	return if length $fields != $size;
	my ($at, $input, $after_input, @lists) = unpack '(N/a*)*', $fields;
	my ($files, $after, $after_environment, $argv, $environment) = map [unpack '(N/a*)*', $_], @lists;
	return {
		at => $at, input => $input, files => $files, argv => $argv, environment => $environment,
		after => $after, after_environment => $after_environment, after_input => $after_input,
		# Checked before there is an agent that could remove the file.
		is_session => -e "$run/session.json",
	};
}

# True if the system's limits for one program are exceeded: by one text, or by all with their pointers.
sub is_too_large {
	my $all = 0;
	for (@_) {
		return 1 if $^O eq 'linux' && length >= 32 * POSIX::sysconf(POSIX::_SC_PAGESIZE());
		$all += 9 + length;
	}
	# Some systems return the minimum of POSIX.
	my $max = POSIX::sysconf(POSIX::_SC_ARG_MAX());
	return $max > 131072 && $all > $max;
}

# Links a complete file to its final name. That is atomic, and fails for all but the first supervisor.
sub note_start {
	my ($at) = @_;
	my $boot = read_file('/proc/sys/kernel/random/boot_id') // qx(/usr/sbin/sysctl -n kern.bootsessionuuid);
	chomp $boot;
	my $start = start_of($$);
	my $draft = "$run/started.$$";
	my $is_first = create($draft, qq({"pid":$$,"startTime":"$start","bootId":"$boot","at":"$at"}\n))
		&& link $draft, "$run/started";
	unlink $draft;
	return $is_first;
}

# Returns the status of the agent. Without an agent it is the status of one that was stopped, or could not
# start.
sub run_agent {
	my ($launch) = @_;
	my ($pid, $go) = fork_agent($launch);
	if (!$pid) {
		create("$run/stderr.log", "$launch->{argv}[0]: $!\n");
		return 126 << 8;
	}
	# It has not been reaped yet, so it is in the process table even if it has ended.
	my $start = start_of($pid);
	my $is_stopped = -e "$run/stop";
	my $is_noted = !$is_stopped && create("$run/agent", qq({"pid":$pid,"startTime":"$start"}\n));
	syswrite $go, '.' if $is_noted;
	close $go;
	my $status = wait_until_end($pid);
	return $is_noted ? $status : ($is_stopped ? 143 : 126) << 8;
}

# Forks the agent. It waits for a byte, so that its process is recorded before its program runs; without it,
# it ends.
sub fork_agent {
	my ($launch) = @_;
	pipe my $word, my $go or return;
	my $pid = fork;
	return ($pid, $go) if !defined $pid || $pid;
	close $go;
	POSIX::setsid();
	my ($program, $input) = ($launch->{argv}[0], $launch->{input});
	my ($errors, $output) = map new_file("$run/$_.log"), qw(stderr stdout);
	connect_to(2, $errors);
	connect_to(1, $output) or give_up(126, $program);
	!length $input or connect_to(0, old_file($input)) or give_up(126, "$program: $input");
	sysread $word, my $said, 1 or POSIX::_exit(0);
	become(@$launch{qw(argv environment)});
	give_up($! == POSIX::ENOENT() ? 127 : 126, $program);
}

sub give_up {
	my ($code, $what) = @_;
	syswrite STDERR, "$what: $!\n";
	POSIX::_exit($code);
}

sub become {
	my ($argv, $environment) = @_;
	$SIG{$_} = 'DEFAULT' for @ignored;
	umask $mask;
	%ENV = map { split /=/, $_, 2 } @$environment;
	no warnings 'exec';
	exec {$argv->[0]} @$argv;
}

# Waits for this one process, however long its children keep the output open. The agent writes to its logs
# itself, so their sizes are polled once a second.
sub wait_until_end {
	my ($pid) = @_;
	my @logs = map +{path => "$run/$_.log", times => "$run/$_.times", size => 0}, qw(stdout stderr);
	my $is_over;
	local $SIG{ALRM} = sub {
		local $!;
		note_growth($_) for @logs;
		# After the end no code would handle the signal.
		alarm 1 unless $is_over;
	};
	alarm 1;
	my $status = wait_for($pid);
	$is_over = 1;
	alarm 0;
	note_growth($_) for @logs;
	return $status;
}

sub note_growth {
	my ($log) = @_;
	my ($size, $at) = (lstat $log->{path})[7, 9];
	return unless defined $size && $size > $log->{size};
	$log->{file} //= new_file($log->{times}) // return;
	$log->{size} = $size;
	syswrite $log->{file}, "$size $at\n";
}

# Runs the launch's program that follows the agent, in the session of this process.
sub run_after {
	my ($argv, $environment, $input) = @_;
	return unless @$argv;
	pipe my $from, my $to or return;
	my $pid = fork // return;
	if (!$pid) {
		close $to;
		connect_to(0, $from);
		open STDOUT, '>', '/dev/null';
		become($argv, $environment);
		POSIX::_exit(127);
	}
	close $from;
	syswrite $to, $input;
	close $to;
	wait_for($pid);
}

sub finish {
	my ($status, $left_nothing) = @_;
	my $signal = $status & 127;
	my $code = $signal ? 128 + $signal : $status >> 8;
	my $name = $signal_names{$signal} ? qq(,"signal":"SIG$signal_names{$signal}") : '';
	my $left = $left_nothing ? ',"leftNothing":true' : '';
	my $now = now();
	return place("$run/exit", qq({"exitCode":$code$name,"finishedAt":"$now"$left}\n));
}

# Reaps ended children. Returns true if any child remains.
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

# Kills all children. Their own children then become children of this process, and are killed too.
sub kill_children {
	while (my $left = read_file("/proc/$$/task/$$/children")) {
		kill KILL => split ' ', $left;
		waitpid -1, 0;
	}
}

# Waits for one child and returns its status. Reaps other children that end meanwhile.
sub wait_for {
	my ($pid) = @_;
	while () {
		my $found = waitpid -1, 0;
		return $? if $found == $pid;
		return -1 if $found < 0 && $! != POSIX::EINTR();
	}
}

# Returns a process's start time, in the form of the process table.
sub start_of {
	my ($pid) = @_;
	my $stat = read_file("/proc/$pid/stat");
	return (split ' ', substr $stat, rindex($stat, ')') + 2)[19] if defined $stat;
	local @ENV{qw(LC_ALL TZ)} = qw(C UTC);
	return join ' ', split ' ', qx(/bin/ps -o lstart= -p $pid);
}

# Returns the identity of the folder itself. A link to it has another identity.
sub place_of { join ' ', (lstat $_[0])[0, 1] }

# Returns the time in UTC, with milliseconds if the system's perl provides them.
sub now {
	my $time = eval { require Time::HiRes; Time::HiRes::time() } // time;
	my ($second, $minute, $hour, $day, $month, $year) = gmtime $time;
	return sprintf '%04d-%02d-%02dT%02d:%02d:%02d.%03dZ', 1900 + $year, 1 + $month, $day, $hour, $minute, $second, 1000 * ($time - int $time);
}

# Creates a file of a run. An existing file or link is refused.
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

# Puts a complete file under its name in one step. The unlink comes first, since an agent may have put a link
# at the temporary name.
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
