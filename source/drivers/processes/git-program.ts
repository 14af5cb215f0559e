import {guards} from '../git-environment.ts';

/**
 * How the supervisor runs git, and how it sees whether git would run other programs than before the run (docs/reliability.md I17). Part
 * of the launcher's program. How git is kept from other programs is in source/drivers/git-environment.ts, and where its settings
 * are in source/drivers/git-checkout.ts.
 */
export const gitProgram = String.raw`
# Runs git on the index of the run, without programs that the repository configures. Answers with its exit code, and what it said to
# either side.
sub git {
	my ($job, $options, @arguments) = @_;
	my $git = tell_ready('git', pack '(N/a*)*', $job->{workspace}, $job->{index} // '', $options->{input} // '', @arguments)
		or die "git: $!\n";
	$options->{meanwhile}->($job) if $options->{meanwhile};
	my $status = wait_for($git->{pid});
	return ($status & 127 ? 128 + ($status & 127) : $status >> 8, map read_back($git->{$_}), qw(out errors));
}

sub become_git {
	my ($word, $files) = @_;
	my ($workspace, $index, $input, @arguments) = hear_words($word);
	connect_to(2, $files->{errors});
	connect_to(1, $files->{out});
	follow_supervisor($workspace) or give_up(127, $workspace);
	if (length $input) {
		my $in = scratch_file();
		syswrite $in, $input;
		sysseek $in, 0, 0;
		connect_to(0, $in);
	}
	my @settings = split / /, '${guards.join(' ')} core.splitIndex=false safe.bareRepository=explicit';
	umask $mask;
	become(['git', map(('-c', $_), @settings), @arguments], {%$quiet, length $index ? (GIT_INDEX_FILE => $index) : ()});
	give_up(127, 'git');
}

# Without a name: in memory (memfd_create, MFD_CLOEXEC), or among the temporary ones of the system.
sub scratch_file {
	my $number = $memfd_create ? syscall($memfd_create, my $name = 'git', 1) : -1;
	my $file;
	($number < 0 ? open $file, '+>', undef : open $file, '+<&=', $number) or die "No file for what git says: $!\n";
	return $file;
}

sub read_back {
	my $file = $_[0] or return '';
	sysseek $file, 0, 0;
	local $/;
	return scalar(<$file>) // '';
}

# git is asked only where the files do not tell. Where the system's are is known of Linux alone.
sub note_leads {
	my ($job) = @_;
	$job->{settings} = [map read_file($_) // '', settings_files($job)];
	$job->{leads} = leads_asked($job) if $^O ne 'linux' || includes($job);
	$job->{attributes} = attributes_of($job);
}

# What hive itself leaves out unless a person accepted it. An agent can write it.
sub attributes_of { read_file("$_[0]->{checkout}{common}/info/attributes") // '' }

# The programs that git add would run, and where else it would look, as that is configured. Agents can configure more of it.
sub has_same_leads {
	my ($job) = @_;
	return 0 if $job->{attributes} ne attributes_of($job);
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
