import {gitProgram} from './git-program.ts';
import {supervisorProgram} from './supervisor-program.ts';
import {treeProgram} from './tree-program.ts';
import {treeRecordProgram} from './tree-record-program.ts';

/**
 * The launcher, a perl program: it forks the supervisors of runs for as long as its standard input is open. Nothing is
 * interpolated. A request is one frame of fields, each with its length (4 bytes, big-endian) before it, as the frame has too:
 * `<id> <run directory> <workspace> <1|0: record trees> <begun at> <input, empty for none> <number of arguments> argv… NAME=value…`.
 * An answer is one line, `<id> <word> …`, with the words of the supervisor (see supervisor-program.ts), and `gone` when it is. Each
 * supervisor has a pipe to say them, whose end tells that it is gone, whatever ended it.
 */
const launcherProgram = String.raw`
sub fields { unpack '(N/a*)*', $_[0] }

my %supervisors;

sub start_supervisor {
	my ($id, $run, $workspace, $trees, $at, $input, $count, @texts) = @_;
	my @argv = splice @texts, 0, $count;
	my %environment = map { split /=/, $_, 2 } @texts;
	pipe my $words, my $mouth or return answer("$id failed " . errno());
	my $pid = fork;
	return answer("$id failed " . errno()) unless defined $pid;
	return $supervisors{fileno $words} = {id => $id, pid => $pid, words => $words} if $pid;
	%supervisors = ();
	open STDIN, '<', '/dev/null';
	open STDOUT, '>', '/dev/null';
	close $words;
	eval { supervise($mouth, $run, $workspace, $trees, $at, $input, \@argv, \%environment); 1 } or abandon();
	POSIX::_exit(0);
}

sub answer { syswrite STDOUT, "$_[0]\n" }

sub hear {
	my ($supervisor) = @_;
	my ($id, $words) = @$supervisor{qw(id words)};
	my $said;
	return answer(join "\n", map "$id $_", split /\n/, $said) if sysread $words, $said, 4096;
	delete $supervisors{fileno $words};
	waitpid $supervisor->{pid}, 0;
	answer("$id gone");
}

my $inbox = '';
while () {
	my $open = '';
	vec($open, $_, 1) = 1 for 0, keys %supervisors;
	next if select(my $ready = $open, undef, undef, undef) < 0;
	vec($ready, $_, 1) and hear($supervisors{$_}) for keys %supervisors;
	next unless vec $ready, 0, 1;
	sysread STDIN, $inbox, 65536, length $inbox or last;
	while (length $inbox >= 4 and length $inbox >= 4 + (my $size = unpack 'N', $inbox)) {
		start_supervisor(fields(substr $inbox, 4, $size));
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
