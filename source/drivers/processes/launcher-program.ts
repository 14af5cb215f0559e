import {gitProgram} from './git-program.ts';
import {supervisorProgram} from './supervisor-program.ts';
import {treeProgram} from './tree-program.ts';
import {treeRecordProgram} from './tree-record-program.ts';

/**
 * The launcher, a perl program: it forks the supervisors of runs, and other programs, for as long as its standard input is open.
 * Nothing is interpolated. A request is one frame of fields, each with its length (4 bytes, big-endian) before it, as the frame has too:
 * `<id> supervise <run directory> <workspace> <0: no trees, 1, or what the checkout was made of> <begun at> <input, empty for none> <number of arguments> argv…
 * NAME=value…`, `<id> run <folder> <input, at most what a pipe holds> <number of arguments> argv… NAME=value…`, or `<id> stop`.
 * An answer is one line, `<id> <word> …`. Of a supervisor these are its own words (see supervisor-program.ts), and `gone` when it is: each
 * has a pipe to say them, whose end tells that it is gone, whatever ended it. Of another program they are `out <length>` or
 * `err <length>`, followed by so many bytes, and `gone <status>` when it has ended and closed both.
 */
const launcherProgram = String.raw`
sub fields { unpack '(N/a*)*', $_[0] }

# By descriptor: who says something there, and what is done with it.
my %ears;

sub start_supervisor {
	my ($id, $run, $workspace, $trees, $at, $input, @texts) = @_;
	my ($argv, $environment) = argv_and_environment(@texts);
	pipe my $words, my $mouth or return answer("$id failed " . errno());
	my $pid = fork;
	return answer("$id failed " . errno()) unless defined $pid;
	return listen_to($words, {id => $id, pid => $pid, hear => \&hear_supervisor}) if $pid;
	%ears = ();
	open STDIN, '<', '/dev/null';
	open STDOUT, '>', '/dev/null';
	close $words;
	eval { supervise($mouth, $run, $workspace, $trees, $at, $input, $argv, $environment); 1 } or abandon();
	POSIX::_exit(0);
}

my (%programs, @ending);

sub start_program {
	my ($id, $folder, $input, @texts) = @_;
	my ($argv, $environment) = argv_and_environment(@texts);
	pipe my $out, my $to_out and pipe my $err, my $to_err and my $in = input_of($input) or return answer("$id failed " . errno());
	my $pid = fork;
	return answer("$id failed " . errno()) unless defined $pid;
	if (!$pid) {
		POSIX::setsid();
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
	return \@argv, {map { split /=/, $_, 2 } @texts};
}

sub answer { syswrite STDOUT, "$_[0]\n" }

sub listen_to {
	my ($from, $ear) = @_;
	$ears{fileno $from} = {%$ear, from => $from};
}

sub hear_supervisor {
	my ($ear, $said) = @_;
	my $id = $ear->{id};
	return answer(join "\n", map "$id $_", split /\n/, $said) if length $said;
	waitpid $ear->{pid}, 0;
	answer("$id gone");
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

my %requests = (supervise => \&start_supervisor, run => \&start_program, stop => \&stop_program);
my $inbox = '';
while () {
	my $open = '';
	vec($open, $_, 1) = 1 for 0, keys %ears;
	next if select(my $ready = $open, undef, undef, @ending ? 0.002 : undef) < 0;
	reap();
	vec($ready, $_, 1) and hear($_) for keys %ears;
	next unless vec $ready, 0, 1;
	sysread STDIN, $inbox, 65536, length $inbox or last;
	while (length $inbox >= 4 and length $inbox >= 4 + (my $size = unpack 'N', $inbox)) {
		my ($id, $what, @rest) = fields(substr $inbox, 4, $size);
		$requests{$what}->($id, @rest);
		substr($inbox, 0, 4 + $size) = '';
	}
}
`;

/** Numbers of prctl(2) and gettimeofday(2), which perl has no name for, by architecture. */
const linuxCalls: Partial<Record<NodeJS.Architecture, readonly [number, number]>> = {
	x64: [157, 96],
	arm64: [167, 169],
	riscv64: [167, 169],
	loong64: [167, 169],
	arm: [172, 78],
	ia32: [172, 78],
	ppc64: [171, 78],
	s390x: [172, 78],
};

const [prctl = 0, gettimeofday = 0] = process.platform === 'linux' ? (linuxCalls[process.arch] ?? []) : [];

/** Whether a supervisor here can adopt what its run leaves behind; elsewhere orphans go to the first process of the machine. */
export const canAdopt = prctl !== 0;

/** Text of the program. */
export const launcherText = [
	supervisorProgram,
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
	' '.repeat(500),
];
