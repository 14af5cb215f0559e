/**
 * How the supervisor runs git, and how it sees whether git would run other programs than before the run (docs/reliability.md I17). Part
 * of the launcher's program. How git is kept from other programs is in source/drivers/git.ts too, and where its settings are in
 * source/drivers/git-checkout.ts.
 */
export const gitProgram = String.raw`
# Runs git on the index of the run, without programs that the repository configures. Answers with its exit code, what it said to
# either side, and the second in which it began by the clock of the disk.
sub git {
	my ($job, $options, @arguments) = @_;
	my ($in, $out, $errors) = map scratch_file("$job->{run}/git.$_"), qw(in out err);
	syswrite $in, $options->{input} // '';
	sysseek $in, 0, 0;
	my @settings = qw(core.hooksPath=/dev/null core.fsmonitor=false core.quotePath=false core.safecrlf=false core.splitIndex=false
		submodule.recurse=false safe.bareRepository=explicit core.fsync=committed core.fsyncMethod=batch gc.auto=0 maintenance.auto=false);
	my $pid = fork // die "git: $!\n";
	if (!$pid) {
		connect_to(0, $in);
		connect_to(1, $out);
		connect_to(2, $errors);
		umask $job->{mask};
		become(['git', map(('-c', $_), @settings), @arguments], {%{$job->{environment}}, GIT_INDEX_FILE => $job->{index}});
		syswrite STDERR, "git: $!\n";
		POSIX::_exit(127);
	}
	my $status = wait_for($pid);
	return ($status & 127 ? 128 + ($status & 127) : $status >> 8, read_back($out), read_back($errors), (stat $in)[10]);
}

# The environment of git, which is not the agent's: it carries no mark and leads to no other repository.
sub quiet {
	my ($environment) = @_;
	my $welcome = qr/^GIT_(?:(?:AUTHOR|COMMITTER)_(?:NAME|EMAIL)|EXEC_PATH|CONFIG_(?:GLOBAL|SYSTEM|NOSYSTEM|COUNT|KEY_\d+|VALUE_\d+))$/;
	my %plain = map { ($_, $environment->{$_}) } grep !/^(?:GIT_|HIVE_AGENT_ID$)/ || /$welcome/, keys %$environment;
	return {%plain, LC_ALL => 'C', GIT_TERMINAL_PROMPT => 0, GIT_OPTIONAL_LOCKS => 0, GIT_NO_LAZY_FETCH => 1};
}

# A file without a name.
sub scratch_file {
	my ($path) = @_;
	unlink $path;
	my $file = new_file($path) // die "$path: $!\n";
	unlink $path;
	return $file;
}

sub read_back {
	my ($file) = @_;
	sysseek $file, 0, 0;
	local $/;
	return scalar(<$file>) // '';
}

# git is asked only where the files do not tell. Where the system's are is known of Linux alone.
sub note_leads {
	my ($job) = @_;
	$job->{settings} = [map read_file($_) // '', settings_files($job)];
	$job->{leads} = leads_asked($job) if $^O ne 'linux' || includes($job);
}

# The programs that git add would run, and where else it would look, as that is configured. Agents can configure more of it.
sub has_same_leads {
	my ($job) = @_;
	return $job->{leads} eq leads_asked($job) if defined $job->{leads};
	my @now = map read_file($_) // '', settings_files($job);
	return !grep {
		my ($then, $now) = ($job->{settings}[$_], $now[$_]);
		$then ne $now && ($now =~ /include/i || leads_in($job, $then) ne leads_in($job, $now));
	} 0 .. $#now;
}

# Where git finds settings, all but those that are included.
sub settings_files {
	my ($job) = @_;
	my $environment = $job->{environment};
	my $checkout = $job->{checkout} or return ();
	my $home = $environment->{HOME} // '';
	return (
		"$checkout->{common}/config",
		"$checkout->{own}/config.worktree",
		$environment->{GIT_CONFIG_GLOBAL} // "$home/.gitconfig",
		($environment->{XDG_CONFIG_HOME} || "$home/.config") . '/git/config',
		$environment->{GIT_CONFIG_SYSTEM} // '/etc/gitconfig',
	);
}

sub includes {
	my ($job) = @_;
	my $environment = $job->{environment};
	return grep /include/i, @{$job->{settings}}, map $environment->{$_}, grep /^GIT_CONFIG_KEY_/, keys %$environment;
}

my @leads = ('--get-regexp', '^(filter[.]|core[.]worktree$|extensions[.]worktreeconfig$)');

sub leads_asked { (git($_[0], {}, 'config', @leads))[1] }

sub leads_in {
	my ($job, $settings) = @_;
	return '' unless $settings =~ /filter|worktree/i;
	return (git($job, {input => $settings}, 'config', '--file', '-', @leads))[1];
}
`;
