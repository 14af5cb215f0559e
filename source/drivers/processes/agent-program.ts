/**
 * How the supervisor of a run has its agent ready, runs it or lets go of it, and notes how far its logs have come meanwhile. Part of the
 * launcher's program.
 */
export const agentProgram = String.raw`
# What becomes the agent when it is told to, in a session of its own.
sub ready_agent {
	my ($run, $mask, $input, $argv, $environment) = @_;
	my $is_open = pipe my $word, my $to;
	my $pid = $is_open ? fork : undef;
	if (defined $pid && !$pid) {
		close $to;
		become_agent($run, $mask, $input, $argv, $environment, $word);
	}
	$ended{$pid} = undef if $pid;
	create("$run/stderr.log", "$argv->[0]: $!\n") unless $pid;
	return {pid => $pid, to => $to};
}

# The status of the agent. The supervisor waits for this one process, however long its children hold the output open.
sub run_agent {
	my ($run, $agent) = @_;
	return 126 << 8 unless $agent->{pid};
	my @logs = map +{path => "$run/$_.log", times => "$run/$_.times", size => 0}, qw(stdout stderr);
	syswrite $agent->{to}, '.';
	close $agent->{to};
	return watch_until_end($agent->{pid}, @logs);
}

# It has become no agent, and ends as one that was stopped.
sub dismiss {
	my ($agent) = @_;
	close $agent->{to};
	wait_for($agent->{pid}) if $agent->{pid};
	return 143 << 8;
}

# The agent writes to its logs with nobody between, so how far they have come is looked at once a second.
sub watch_until_end {
	my ($pid, @logs) = @_;
	my $is_over;
	local $SIG{ALRM} = sub {
		local $!;
		note_growth($_) for @logs;
		# One more would come when nothing handles it.
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

sub become_agent {
	my ($run, $mask, $input, $argv, $environment, $word) = @_;
	POSIX::setsid();
	my ($pid, $start) = identity();
	my $is_ready = connect_to(2, new_file("$run/stderr.log")) && connect_to(1, new_file("$run/stdout.log"));
	my $is_told = sysread $word, my $said, 1;
	POSIX::_exit(0) unless $is_told;
	$is_ready &&= create("$run/agent", qq({"pid":$pid,"startTime":"$start"}\n));
	umask $mask;
	give_up(126, "$argv->[0]: $input") if $is_ready && length $input && !connect_to(0, old_file($input));
	become($argv, $environment) if $is_ready;
	give_up($! == POSIX::ENOENT() ? 127 : 126, $argv->[0]);
}

sub give_up {
	my ($code, $what) = @_;
	syswrite STDERR, "$what: $!\n";
	POSIX::_exit($code);
}

# Nothing stays ignored that a terminal or hive would send.
sub become {
	my ($argv, $environment) = @_;
	$SIG{$_} = 'DEFAULT' for @deafness;
	%ENV = %$environment;
	exec {$argv->[0]} @$argv;
}
`;
