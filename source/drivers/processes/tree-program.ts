/**
 * How the supervisor keeps the tree of a run's workspace: as `captureTree` (source/workspaces/tree.ts) does, with one git where
 * nothing has changed since the last time. Part of the launcher's program. The ways of git that it knows are known to others too:
 * the way to a checkout to source/drivers/git-checkout.ts, the copy of an index to source/drivers/git.ts, what is passed over to tree.ts.
 */
export const treeProgram = String.raw`
# Answers with what looks at the tree before the run, and after it. A look has the tree, why it is missing or partial, and at first the
# commit that is checked out.
sub tree_of {
	my ($workspace, $made_of) = @_;
	my $job = {workspace => $workspace, environment => $quiet, made_of => $made_of};
	return sub {
		my ($name) = @_;
		my $look = $job->{look} = {};
		$look->{error} = eval { ($name eq 'before' ? look_before($job) : look_after($job)) || keep_tree($job, $name) } // $@;
		unlink $job->{index}, "$job->{index}.lock" if $job->{index};
		$look->{common} = $job->{checkout}{common} if $job->{checkout};
		return $look;
	};
}

sub note_look {
	my ($run, $name, $look) = @_;
	create("$run/before-head", $look->{head}) if defined $look->{head};
	my $is_placed = !defined $look->{tree} || place("$run/$name", $look->{tree});
	hold_tree($run, $name, $look) if defined $look->{tree} && !$look->{is_made};
	my $error = $look->{error} || ($is_placed ? '' : "$!\n");
	place("$run/tree-error", $error) if $error;
}

# No commit may have such a tree, so a ref keeps it from a clean-up of git's until the run is collected. Not where an agent has put a link.
sub hold_tree {
	my ($run, $name, $look) = @_;
	my ($trace, $agent) = $run =~ m{([^/]+)/([^/]+)\z} or return;
	my $common = $look->{common} or return;
	return if -e "$common/reftable";
	my ($folder, $draft) = ($common, "$common/hive/$agent-$name");
	for my $part ('hive', 'refs', 'refs/hive', 'refs/hive/run', "refs/hive/run/$trace") {
		$folder = "$common/$part";
		return if -l $folder;
		mkdir $folder and chmod 0777 & ~$mask, $folder;
	}
	unlink $draft;
	create($draft, $look->{tree}) && chmod(0666 & ~$mask, $draft) && rename $draft, "$folder/$agent-$name";
}

my $nowhere = "The workspace is in no work tree of git.\n";

sub look_before {
	my ($job) = @_;
	$job->{checkout} = find_checkout() or return $nowhere;
	return place_index($job);
}

# What may be read while git looks at the files.
sub look_around {
	my ($job) = @_;
	note_leads($job);
	keep_head($job);
}

# git would run what it has as a filter by now, and look where it is by now. The settings are compared where they were, so they have
# to be there still.
sub look_after {
	my ($job) = @_;
	return $nowhere unless $job->{checkout};
	my ($then, $now) = map { join "\n", $_ ? @$_{qw(top own common)} : () } $job->{checkout}, find_checkout();
	return "The workspace is not in the work tree any more that it was in before the run.\n" if $now ne $then;
	return "The filters of git changed during the run, or where it looks for files.\n" unless has_same_leads($job);
	return place_index($job);
}

# An index of its own, beside the checkout's so that it can be a link to it. What a supervisor left that was killed goes after a day.
sub place_index {
	my ($job) = @_;
	my $folder = "$job->{checkout}{own}/hive";
	mkdir $folder, 0777;
	return "$folder is a link.\n" if -l $folder;
	opendir my $names, $folder or return "$folder: $!\n";
	unlink grep { ((lstat)[10] // time) < time - 86400 } map "$folder/$_", grep /^index\.\d+(?:\.lock)?$/, readdir $names;
	$job->{index} = "$folder/index.$$";
	my $why_not = copy_index("$job->{checkout}{own}/index", $job->{index});
	$job->{sum} = sum_of(old_file($job->{index}));
	my $refreshed = refreshed_of($job);
	# It may be gone by now, as what is in there goes after a day.
	rename "$job->{index}.lock", $job->{index} if $refreshed && !-l $refreshed && -f _ && link $refreshed, "$job->{index}.lock";
	return $why_not;
}

# Where the same index is that was written later.
sub refreshed_of {
	my ($job) = @_;
	my ($hash) = ($job->{sum} // '') =~ / (\w+)$/ or return;
	return "$job->{checkout}{own}/hive/refreshed.$hash";
}

# Of a checkout that was just made each file is as young as the index, and git would compare it at each tree until somebody has the index
# written again. So git writes the copy again, comparing each once, and that stands in for the index from there on.
sub refresh_index {
	my ($job, $began) = @_;
	my $young = "$job->{checkout}{own}/hive/young";
	return unless $job->{sum} && (read_file($young) // '') eq "$job->{sum}\n" && (lstat $job->{index})[9] < $began;
	my ($failed) = git($job, {}, 'checkout-index', '--index', '--stdin');
	unlink $young if !$failed && link $job->{index}, refreshed_of($job);
}

# Goes git's way from the working directory up to the folder that has the index; without its .git file a linked work tree would
# pass for a part of the one around it.
sub find_checkout {
	for (my $top = Cwd::getcwd(); ; $top =~ s{/[^/]*$}{}) {
		my $own = "$top/.git";
		my $link = -f $own ? read_file($own) : undef;
		$own = path_from($top, $link =~ /^gitdir: (.+?)\n?\z/s) if defined $link;
		if (defined $link || -e "$own/HEAD") {
			my $common = read_file("$own/commondir") // '.';
			chomp $common;
			return {top => $top, own => $own, common => path_from($own, $common)};
		}
		return undef if $top eq '';
	}
}

sub path_from {
	my ($folder, $path) = @_;
	return defined $path && $path =~ m{^/} ? $path : "$folder/" . ($path // '');
}

# Read before the agent runs, for it may commit. A repository without a commit has none to keep.
sub keep_head {
	my ($job) = @_;
	my $head = head_in_files($job->{checkout});
	$head = (git($job, {}, 'rev-parse', '--quiet', '--verify', 'HEAD'))[1] unless defined $head;
	$job->{look}{head} = $head if $head ne '';
}

sub head_in_files {
	my ($checkout) = @_;
	my $head = $checkout && read_file("$checkout->{own}/HEAD") // '';
	my $commit = qr/^(?:[0-9a-f]{40}|[0-9a-f]{64})\n\z/;
	return $head if $head =~ $commit;
	my ($ref) = $head =~ m{^ref: (refs/heads/\S+)\n\z} or return;
	my $loose = read_file("$checkout->{common}/$ref");
	return $loose =~ $commit ? $loose : undef if defined $loose;
	return (read_file("$checkout->{common}/packed-refs") // '') =~ /^([0-9a-f]+) \Q$ref\E$/m ? "$1\n" : undef;
}

# All of the work tree, untracked files included, in an index that starts as the checkout's: so git reads only the files that
# changed. Why it is missing or partial is answered: 1 from git add is some files that could not be read, the rest is staged; more,
# and there is nothing to go by.
sub keep_tree {
	my ($job, $name) = @_;
	my $checkout = $job->{checkout};
	my $is_first = $name eq 'before';
	my $is_made = $is_first && $job->{made_of} ne '1';
	look_around($job) if $is_made;
	return '' if $is_made && ($job->{look}{is_made} = $job->{look}{tree} = tree_as_made($job));
	my $began = (lstat $job->{index})[10];
	# Not after a run, which most often is the only one in its checkout.
	refresh_index($job, $began) if $is_first;
	my $index = old_file($job->{index});
	my $sum = $job->{sum};
	# Which commit a repository inside has is in no sum, so an index that has any is never on record.
	my $is_known = $sum && is_on_record($checkout, $sum);
	$sum = undef if !$is_known && may_have_repositories(read_back($index)) && pass_repositories($job);
	my $meanwhile = $is_first && !$is_made && \&look_around;
	my ($code, $said, $errors) = git($job, {meanwhile => $meanwhile}, 'add', '-A', '-v', '--sparse', '--ignore-errors');
	if ($code > 1) {
		return $errors || "git add ended with $code.\n" if is_of_system($errors);
		my $why_not = add_apart($job);
		return $why_not if defined $why_not;
		($code, $sum) = (1);
	}
	$sum = undef if pass_links($job);
	my $is_clear = $said eq '' || !grep may_mislead($_), read_back($index), read_file($job->{index}) // '';
	my $evidence = $code == 0 && $sum && $is_clear && evidence_of($job, $sum, $said, $began);
	my $tree = $evidence && recorded_tree($checkout, $evidence);
	if (!$tree) {
		(my $failed, $tree, my $why) = git($job, {}, 'write-tree');
		return $why || "git write-tree ended with $failed.\n" if $failed;
		record_tree($checkout, $evidence, $tree) if $evidence;
	}
	$job->{look}{tree} = $tree;
	return $code ? $errors || "git add ended with $code.\n" : '';
}

# Links that the setting up of the worktree made where git ignores folders alone are no part of the work, also where a run commits them
# (source/workspaces/ignored-links.ts). Answers whether there are any.
sub pass_links {
	my ($job) = @_;
	my @links = grep { length && -l "$job->{checkout}{top}/$_" } split /\0/, read_file("$job->{checkout}{own}/hive-links") // '';
	git($job, {input => join '', map "$_\0", @links}, qw(update-index --force-remove -z --stdin)) if @links;
	return scalar @links;
}

# Of these no file is to blame, and each would fail likewise.
sub is_of_system {
	return $_[0] =~ /no space left|quota exceeded|read-only file system|input\/output error|permission denied|too many open files|temporarily unavailable|cannot allocate memory|\.lock'|not a git repository|index file corrupt|bad signature|unmerged/i;
}

# One file that git takes in no form fails the whole call: an encoding or a filter refuses its bytes. So those that changed are added in
# halves, down to the one that fails, which stays as it was in the index. Why there is nothing to go by is answered.
sub add_apart {
	my ($job) = @_;
	my @paths;
	for my $list (['diff-files', '--name-only', '--ignore-submodules=all', '-z'], ['ls-files', '--others', '--exclude-standard', '-z']) {
		my ($failed, $listed, $why) = git($job, {}, @$list);
		return $why || "git $list->[0] ended with $failed.\n" if $failed;
		push @paths, split /\0/, $listed;
	}
	my @parts = [@paths];
	while (my $part = shift @parts) {
		next unless @$part;
		my ($failed, undef, $why) = git($job, {input => join '', map "$_\0", @$part}, qw(--literal-pathspecs add -A --sparse --ignore-errors --pathspec-from-file=- --pathspec-file-nul));
		next if $failed <= 1;
		return $why || "git add ended with $failed.\n" if is_of_system($why);
		my $half = int(@$part / 2);
		push @parts, [@$part[0 .. $half - 1]], [@$part[$half .. $#$part]] if $half;
	}
	return undef;
}

# A link will do, since git replaces an index and never writes into one; on another disk it is a copy. git takes a file as
# unchanged when it is older than the index, so a copy must not look younger than it is.
sub copy_index {
	my ($from, $to) = @_;
	unlink $to, "$to.lock";
	return '' if !-e $from || link $from, $to;
	my ($bytes, @times) = (read_file($from), (stat _)[8, 9]);
	return create($to, $bytes) && utime(@times, $to) ? '' : "$from could not be copied: $!\n";
}

# In the bytes of an index: the mode of an entry that is a repository, and the marks of one whose entries are not all in it.
sub may_have_repositories { grep index($_[0], $_) >= 0, "\0\0\xe0\0", "link\0", "sdir\0" }

# git would look for changes inside each repository that the index has a commit of, with the programs that are set there
# (docs/reliability.md I17). Its commit is all that a tree has of it, so that is written into the copy, and git set not to look. Answers
# whether there are any.
sub pass_repositories {
	my ($job) = @_;
	my $found = 0;
	for my $how ('--remove', '--assume-unchanged') {
		my $entries = (git($job, {}, 'ls-files', '--stage', '-z'))[1];
		my @paths = map /^160000 \S+ 0\t(.*)/s, split /\0/, $entries or last;
		git($job, {input => join '', map "$_\0", @paths}, 'update-index', $how, '-z', '--stdin');
		$found += @paths;
	}
	return $found;
}
`;
