/**
 * Processes that the supervisor of a run has ready before it knows what they are to become: its agent, or a git. Part of the launcher's
 * program.
 */
export const readyProgram = String.raw`
# By what they become: those that wait to be told. A fork takes long, and so does each page that either side writes after one.
my %ready = (agent => [], git => []);

sub have_ready {
	for (@_) {
		push @{$ready{$_}}, fork_ready($_) || () unless @{$ready{$_}};
	}
}

sub fork_ready {
	my ($kind) = @_;
	my %files = $kind eq 'git' ? map(($_, scratch_file()), qw(out errors)) : ();
	pipe my $word, my $to or return;
	my $pid = fork;
	return unless defined $pid;
	if (!$pid) {
		close $to;
		%ready = ();
		heed_signals();
		eval { $kind eq 'git' ? become_git($word, \%files) : become_agent($word) };
		POSIX::_exit(126);
	}
	$ended{$pid} = undef;
	return {pid => $pid, to => $to, %files};
}

# Answers with the one that was told.
sub tell_ready {
	my ($kind, $words) = @_;
	# One that waited may have died.
	while (my $ready = shift @{$ready{$kind}}) {
		return $ready if say_words($ready, $words);
	}
	my $fresh = fork_ready($kind) or return;
	return say_words($fresh, $words) ? $fresh : undef;
}

sub say_words {
	my ($ready, $words) = @_;
	my $frame = pack 'N/a*', $words;
	while (length $frame) {
		my $written = syswrite $ready->{to}, $frame;
		next if !defined $written && $! == POSIX::EINTR();
		return unless $written;
		substr($frame, 0, $written) = '';
	}
	return 1;
}

# What it is told; it ends where that is nothing.
sub hear_words { fields(hear_frame($_[0]) // POSIX::_exit(0)) }

# Where the supervisor is by now, whatever has that name.
sub follow_supervisor {
	my ($workspace) = @_;
	return chdir('/proc/' . getppid . '/cwd') || chdir $workspace;
}

sub dismiss {
	my ($ready) = @_;
	close $ready->{to};
	wait_for($ready->{pid});
}

sub dismiss_ready {
	dismiss($_) for map splice(@$_), values %ready;
}

# Has this process write to none of the pages that it shares with what it forked: one call for all takes less than a fault for each, and
# nobody waits now (MADV_POPULATE_WRITE).
sub unshare_pages {
	return unless $madvise;
	for (split /^/, read_file("/proc/$$/maps") // '') {
		my ($from, $to) = /^(\w+)-(\w+) rw-p / or next;
		syscall($madvise, hex $from, hex($to) - hex $from, 23);
	}
}
`;
