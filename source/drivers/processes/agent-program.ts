/**
 * How the supervisor of a run has its agent ready, runs it or lets go of it, and notes how far its logs have come meanwhile. Part of the
 * launcher's program.
 */
export const agentProgram = String.raw`
# What becomes the agent when it is told to, in a session of its own. All else is done on this side of the fork, where pages are not
# copied for it.
sub ready_agent {
	my ($run, $mask, $input, $argv, $environment) = @_;
	my ($errors, $out) = map new_file("$run/$_.log"), qw(stderr stdout);
	my $in = old_file(length $input ? $input : '/dev/null');
	my $pid = $errors && $out && $in && pipe(my $word, my $to) ? fork : undef;
	if (defined $pid && !$pid) {
		close $to;
		become_agent($mask, [$in, $out, $errors], $argv, $environment, $word);
	}
	my $agent = {pid => $pid, to => $to, errors => $errors, name => $argv->[0]};
	$ended{$pid} = undef if $pid;
	note_failure($agent, $in ? '' : "$input: ") unless $pid;
	return $agent;
}

# The status of the agent. The supervisor waits for this one process, however long its children hold the output open.
sub run_agent {
	my ($run, $agent) = @_;
	return 126 << 8 unless $agent->{pid};
	my $start = start_of($agent->{pid});
	if (!create("$run/agent", qq({"pid":$agent->{pid},"startTime":"$start"}\n))) {
		note_failure($agent, '');
		dismiss($agent);
		return 126 << 8;
	}
	close $agent->{errors};
	my @logs = map +{path => "$run/$_.log", times => "$run/$_.times", size => 0}, qw(stdout stderr);
	syswrite $agent->{to}, '.';
	close $agent->{to};
	return watch_until_end($agent->{pid}, @logs);
}

sub note_failure {
	my ($agent, $what) = @_;
	syswrite $agent->{errors}, "$agent->{name}: $what$!\n" if $agent->{errors};
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
	my ($mask, $files, $argv, $environment, $word) = @_;
	POSIX::setsid();
	heed_signals();
	connect_to($_, $files->[$_]) for 0 .. 2;
	POSIX::_exit(0) unless sysread $word, my $said, 1;
	umask $mask;
	become($argv, $environment);
	my $code = $! == POSIX::ENOENT() ? 127 : 126;
	syswrite STDERR, "$argv->[0]: $!\n";
	POSIX::_exit($code);
}

# Nothing stays ignored that a terminal or hive would send.
sub heed_signals { $SIG{$_} = 'DEFAULT' for @deafness }

sub become {
	my ($argv, $environment) = @_;
	%ENV = %$environment;
	exec {$argv->[0]} @$argv;
}
`;
