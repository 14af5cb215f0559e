/**
 * How a process becomes the agent of a run, and how its supervisor runs it and notes how far its logs have come meanwhile. Part of the
 * launcher's program.
 */
export const agentProgram = String.raw`
# The status of the agent. Where none is to be, it is that of one that was stopped, or could not be started.
sub end_of_agent {
	my ($run, $agent) = @_;
	return 126 << 8 unless $agent;
	my $is_stopped = -e "$run/stop";
	return run_agent($run, $agent) if !$is_stopped && create("$run/agent", qq({"pid":$agent->{pid},"startTime":"$agent->{start}"}\n));
	dismiss($agent);
	return ($is_stopped ? 143 : 126) << 8;
}

# The supervisor waits for this one process, however long its children hold the output open.
sub run_agent {
	my ($run, $agent) = @_;
	my @logs = map +{path => "$run/$_.log", times => "$run/$_.times", size => 0}, qw(stdout stderr);
	syswrite $agent->{to}, '.';
	close $agent->{to};
	return watch_until_end($agent->{pid}, @logs);
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

# In a session of its own. It opens its files when it is told of its run, and waits for the last word.
sub become_agent {
	my ($word) = @_;
	POSIX::setsid();
	my ($workspace, $run, undef, undef, $input, @texts) = hear_words($word);
	my ($argv, $environment) = argv_and_environment(@texts);
	my ($errors, $out) = map new_file("$run/$_.log"), qw(stderr stdout);
	connect_to(2, $errors);
	connect_to(1, $out) or give_up(126, $argv->[0]);
	follow_supervisor($workspace) or give_up(126, "$argv->[0]: $workspace");
	!length $input or connect_to(0, old_file($input)) or give_up(126, "$argv->[0]: $input");
	POSIX::_exit(0) unless sysread $word, my $said, 1;
	umask $mask;
	become($argv, $environment);
	give_up($! == POSIX::ENOENT() ? 127 : 126, $argv->[0]);
}

sub give_up {
	my ($code, $what) = @_;
	syswrite STDERR, "$what: $!\n";
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
