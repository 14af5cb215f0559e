import {agentProgram} from './agent-program.ts';
import {gitProgram} from './git-program.ts';
import {readyProgram} from './ready-program.ts';
import {supervisorProgram} from './supervisor-program.ts';
import {treeProgram} from './tree-program.ts';
import {treeRecordProgram} from './tree-record-program.ts';

/**
 * The launcher, a perl program: it forks the supervisors of runs, and other programs, for as long as its standard input is open.
 * Nothing is interpolated. A request is one frame of fields, each with its length (4 bytes, big-endian) before it, as the frame has too.
 * The first is `<id> environment NAME=value…`, that of the git of supervisors. Of a supervisor: `<id> prepare <workspace> <0: no trees,
 * 1, or what the checkout was made of>` has it there; then either `<id> launch <run directory> <at> <since> <input, empty for none>
 * <number of arguments> argv… NAME=value…`, or `<id> drop`. Of another program: `<id> run <folder> <input, at most what a pipe holds>
 * <number of arguments> argv… NAME=value…`, and `<id> stop`.
 * An answer is one line, `<id> <word> …`. Of a supervisor these are its own words (see supervisor-program.ts), and `gone` when it is, or
 * is free for another run: each has a pipe to say them, whose end tells that it is gone, whatever ended it. Of another program they are
 * `out <length>` or `err <length>`, followed by so many bytes, and `gone <status>` when it has ended and closed both.
 */
const launcherProgram = String.raw`
sub fields { unpack '(N/a*)*', $_[0] }

# By descriptor: who says something there, and what is done with it.
my %ears;

# By id: supervisors that have not been told all of what they are to start.
my %untold;
# Those without a run, whoever had the last one at the end. One is there before it is asked for, since who asks does not wait for a
# fork then.
my (@free, $lacks_free);
my $most_free = 6;

# Whoever writes to one that is gone hears it from the system.
$SIG{$_} = 'IGNORE' for qw(PIPE USR1);

sub fork_supervisor {
	pipe my $words, my $mouth and pipe my $orders, my $to or return;
	my $pid = fork;
	return unless defined $pid;
	if ($pid) {
		# It may be busy with its tree.
		fcntl $to, POSIX::F_SETFL(), POSIX::O_NONBLOCK();
		return {pid => $pid, words => $words, to => $to};
	}
	%ears = %untold = ();
	@free = ();
	open STDIN, '<', '/dev/null';
	open STDOUT, '>', '/dev/null';
	close $_ for $words, $to;
	eval { supervise($mouth, $orders); 1 } or abandon();
	POSIX::_exit(0);
}

# In a quiet moment: whoever was just launched has better use for a core.
sub have_free {
	push @free, fork_supervisor() || () unless @free;
	$lacks_free = 0;
}

sub take_free {
	while (my $supervisor = pop @free) {
		return $supervisor if waitpid($supervisor->{pid}, POSIX::WNOHANG()) == 0;
	}
}

sub prepare_supervisor {
	my ($id, $fields) = @_;
	my $supervisor = take_free() || fork_supervisor() or return answer("$id failed " . errno());
	@$supervisor{qw(text knows_all)} = ('', 0);
	listen_to($supervisor->{words}, {id => $id, supervisor => $supervisor, hear => \&hear_supervisor});
	$untold{$id} = $supervisor;
	tell_supervisor($id, $fields);
}

sub launch_run {
	my ($id, $fields) = @_;
	my $supervisor = $untold{$id} or return;
	$supervisor->{knows_all} = 1;
	tell_supervisor($id, $fields);
	$lacks_free = !@free;
}

# It is told what it has room for; it looks for the last of it when it is called.
sub tell_supervisor {
	my ($id, $fields) = @_;
	my $supervisor = $untold{$id};
	$supervisor->{text} .= pack 'N/a*', $fields if defined $fields;
	my $written = syswrite $supervisor->{to}, $supervisor->{text};
	return if !defined $written && $! == POSIX::EAGAIN();
	substr($supervisor->{text}, 0, $written // length $supervisor->{text}) = '';
	return if length $supervisor->{text} || !$supervisor->{knows_all};
	delete $untold{$id};
	kill USR1 => $supervisor->{pid};
}

sub drop_supervisor { end_supervisor(delete $untold{$_[0]} // return) }

# It is reaped when it is heard to be gone.
sub end_supervisor { close $_[0]{to} }

my (%programs, @ending);

sub start_program {
	my ($id, $fields) = @_;
	my ($folder, $input, @texts) = fields($fields);
	my ($argv, $environment) = argv_and_environment(@texts);
	pipe my $out, my $to_out and pipe my $err, my $to_err and my $in = input_of($input) or return answer("$id failed " . errno());
	my $pid = fork;
	return answer("$id failed " . errno()) unless defined $pid;
	if (!$pid) {
		POSIX::setsid();
		heed_signals();
		connect_to(0, $in) && connect_to(1, $to_out) && connect_to(2, $to_err) && chdir $folder
			and become($argv, $environment);
		# It was no program that ended.
		kill KILL => $$;
	}
	$programs{$id} = {id => $id, pid => $pid, open => {map { (fileno $_, 1) } $out, $err}};
	listen_to($out, {id => $id, name => 'out', hear => \&hear_program});
	listen_to($err, {id => $id, name => 'err', hear => \&hear_program});
}

sub input_of {
	my ($input) = @_;
	return old_file('/dev/null') unless length $input;
	pipe my $in, my $to_in or return;
	return syswrite($to_in, $input) == length $input && $in;
}

# Whoever still writes is told by the system that nobody reads.
sub stop_program {
	my $program = $programs{$_[0]} or return;
	kill TERM => -$program->{pid};
	delete $ears{$_} for keys %{$program->{open}};
	end_program($program);
}

sub end_program {
	my ($program) = @_;
	delete $programs{$program->{id}};
	push @ending, $program;
}

sub argv_and_environment {
	my ($count, @texts) = @_;
	my @argv = splice @texts, 0, $count;
	return \@argv, environment_of(@texts);
}

sub environment_of {
	return {map { split /=/, $_, 2 } @_};
}

sub answer { syswrite STDOUT, "$_[0]\n" }

sub listen_to {
	my ($from, $ear) = @_;
	$ears{fileno $from} = {%$ear, from => $from};
}

sub hear_supervisor {
	my ($ear, $said) = @_;
	my ($id, $supervisor) = @$ear{qw(id supervisor)};
	# The system closes what a process has open before the process is over, and whoever is told that it is gone looks for it at once.
	waitpid $supervisor->{pid}, 0 unless length $said;
	my @words = length $said ? split /\n/, $said : 'gone';
	my $is_free = $words[-1] eq 'free';
	$words[-1] = 'gone' if $is_free;
	answer(join "\n", map "$id $_", @words);
	if ($is_free) {
		return end_supervisor($supervisor) if @free >= $most_free;
		delete $ears{fileno $supervisor->{words}};
		push @free, $supervisor;
	} elsif (!length $said) {
		delete $untold{$id};
	}
}

sub hear_program {
	my ($ear, $said) = @_;
	my ($id, $name) = @$ear{qw(id name)};
	return syswrite STDOUT, "$id $name " . length($said) . "\n$said" if length $said;
	my $program = $programs{$id};
	delete $program->{open}{fileno $ear->{from}};
	end_program($program) unless %{$program->{open}};
}

sub hear {
	my ($number) = @_;
	my $ear = $ears{$number} or return;
	my $said = '';
	sysread $ear->{from}, $said, 65536;
	delete $ears{$number} unless length $said;
	$ear->{hear}->($ear, $said);
}

# It may go on for a moment after it has closed what it wrote to.
sub reap {
	@ending = grep {
		my $is_over = waitpid($_->{pid}, POSIX::WNOHANG()) != 0;
		answer("$_->{id} gone $?") if $is_over;
		!$is_over;
	} @ending;
}

my %requests = (
	environment => sub { $quiet = environment_of(fields($_[1])) },
	prepare => \&prepare_supervisor, launch => \&launch_run, drop => \&drop_supervisor,
	run => \&start_program, stop => \&stop_program,
);
my $inbox = '';
while () {
	my ($open, $full) = ('', '');
	vec($open, $_, 1) = 1 for 0, keys %ears;
	my @waiting = grep length $untold{$_}{text}, keys %untold;
	vec($full, fileno $untold{$_}{to}, 1) = 1 for @waiting;
	my $count = select my $ready = $open, $full, undef, @ending ? 0.002 : $lacks_free ? 0.02 : undef;
	next if $count < 0;
	reap();
	have_free() if $count == 0;
	vec($full, fileno $untold{$_}{to}, 1) and tell_supervisor($_) for @waiting;
	vec($ready, $_, 1) and hear($_) for keys %ears;
	next unless vec $ready, 0, 1;
	sysread STDIN, $inbox, 65536, length $inbox or last;
	while (length $inbox >= 4 and length $inbox >= 4 + (my $size = unpack 'N', $inbox)) {
		my ($id, $what) = unpack 'N/a* N/a*', substr $inbox, 4, $size;
		my $start = 12 + length "$id$what";
		$requests{$what}->($id, substr $inbox, $start, 4 + $size - $start);
		substr($inbox, 0, 4 + $size) = '';
	}
}
`;

/** Numbers of prctl(2), gettimeofday(2), memfd_create(2) and madvise(2), which perl has no name for, by architecture. */
const linuxCalls: Partial<Record<NodeJS.Architecture, readonly [number, number, number, number]>> = {
	x64: [157, 96, 319, 28],
	arm64: [167, 169, 279, 233],
	riscv64: [167, 169, 279, 233],
	loong64: [167, 169, 279, 233],
	arm: [172, 78, 385, 220],
	ia32: [172, 78, 356, 219],
	ppc64: [171, 78, 360, 205],
	s390x: [172, 78, 350, 219],
};

const [prctl = 0, gettimeofday = 0, memfdCreate = 0, madvise = 0] =
	process.platform === 'linux' ? (linuxCalls[process.arch] ?? []) : [];

/** Whether a supervisor here can adopt what its run leaves behind; elsewhere orphans go to the first process of the machine. */
export const canAdopt = prctl !== 0;

/** Text of the program. */
export const launcherText = [
	supervisorProgram,
	readyProgram,
	agentProgram,
	treeProgram,
	treeRecordProgram,
	gitProgram,
	launcherProgram,
].join('');

/**
 * Arguments for perl, which reads the program from its fourth descriptor. -f has it heed no site's settings. The last one is room: a
 * process has no more for the name that it gives itself than its arguments took.
 */
export const launcherArguments: readonly string[] = [
	'-f',
	'/dev/fd/3',
	String(prctl),
	String(gettimeofday),
	String(memfdCreate),
	String(madvise),
	' '.repeat(500),
];
