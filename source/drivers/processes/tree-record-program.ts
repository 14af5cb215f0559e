/**
 * What a tree follows from, and the record of the last one, by which the supervisor knows a tree without asking git for it. Part of
 * the launcher's program.
 */
export const treeRecordProgram = String.raw`
# The end of an index is the sum of all that is before it, unless git was told to leave that out.
sub sum_of {
	my ($file) = @_;
	my $size = $file ? -s $file : 0;
	return if $size < 32;
	sysseek $file, -32, 2;
	sysread $file, my $end, 32;
	my $sum = unpack 'H*', $end;
	return $sum =~ /0{40}$/ ? undef : "$size $sum";
}

# Whether names in an index could pass for lines that git says. Not all can be seen where some are cut short or elsewhere.
sub may_mislead {
	my ($index) = @_;
	return unpack('N', substr $index, 4, 4) == 4 || grep index($index, $_) >= 0, "'\nadd '", "'\nremove '", "link\0", "sdir\0";
}

# All that the tree follows from, where hive can tell; nothing where it cannot. What git does not say it took is as the index has
# it; of what it took, and of what says how, the marks are compared. They count seconds, so nothing may be younger than the call.
sub evidence_of {
	my ($job, $sum, $said, $began) = @_;
	my @lines = split /^/, $said;
	return if @lines > 1000 || grep !/^(?:add|remove) '[^\n]*'\n\z/, @lines;
	my @taken = map /^add '(.*)'$/, @lines;
	return if @taken && grep /^GIT_CONFIG_/, keys %{$job->{environment}};
	return if @taken && grep /include|attributesfile/i, map read_file($_) // '', settings_files($job);
	# What says how may be a link, so the mark of the file that it leads to counts as well.
	my @marks = map((mark_of($_, $began, lstat), mark_of($_, $began, stat)), @taken ? whatever_says_how($job, @taken) : ());
	push @marks, map mark_of($_, $began, lstat), map "$job->{checkout}{top}/$_", @taken;
	return if grep !defined, @marks;
	return join "\n", $sum, $said, @marks;
}

# The tree of a checkout that was just made, where nothing converts its files on their way, so that git would take them for what they were
# made of; nothing where it could.
sub tree_as_made {
	my ($job) = @_;
	my $checkout = $job->{checkout};
	return if !$checkout || $^O ne 'linux' || grep /^GIT_CONFIG_(?:COUNT|KEY_)/, keys %{$job->{environment}};
	return if grep /include|attributesfile|autocrlf|eol|ignorecase|symlinks|sparse/i, @{$job->{settings}};
	return if grep { -e || -l } attribute_files($job);
	my $file = old_file("$checkout->{own}/index");
	my $index = read_back($file);
	return if !length $index || unpack('N', substr $index, 4, 4) > 3 || may_have_repositories($index) || index($index, '.gitattributes') >= 0;
	my ($sum, $tree) = (sum_of($file), "$job->{made_of}\n");
	record_tree($checkout, evidence_of($job, $sum, '', 0), $tree) if $sum;
	create("$checkout->{own}/hive/young", "$sum\n") if $sum;
	return $tree;
}

# Those outside of the work tree.
sub attribute_files {
	my ($job) = @_;
	my $home = $job->{environment}{HOME} // '';
	my $configured = ($job->{environment}{XDG_CONFIG_HOME} || "$home/.config") . '/git/attributes';
	return ($configured, '/etc/gitattributes', "$job->{checkout}{common}/info/attributes");
}

sub whatever_says_how {
	my ($job, @taken) = @_;
	my $checkout = $job->{checkout};
	my %folders = ('' => 1);
	for my $path (@taken) {
		$folders{substr $path, 0, pos($path)} = 1 while $path =~ m{/}g;
	}
	return (
		settings_files($job), attribute_files($job),
		map("$checkout->{top}/$_.gitattributes", sort keys %folders),
	);
}

sub mark_of {
	my ($path, $began, @found) = @_;
	return "$path -" unless @found;
	return undef if $found[9] >= $began || $found[10] >= $began || POSIX::S_ISDIR($found[2]);
	return join ' ', $path, @found[0, 1, 2, 7, 9, 10];
}

# One record for a checkout, in its own folder of git's: the tree, where it is, and what it follows from.
sub record_of { split /^/, read_file("$_[0]->{own}/hive/tree") // '', 3 }

# Whether that is of an index with this sum.
sub is_on_record {
	my ($checkout, $sum) = @_;
	my $then = (record_of($checkout))[2] // '';
	return index("$then\n", "$sum\n") == 0;
}

sub recorded_tree {
	my ($checkout, $evidence) = @_;
	my ($tree, $where, $then) = record_of($checkout);
	return defined $then && $then eq $evidence && $where eq where_is($checkout, $tree) ? $tree : undef;
}

sub record_tree {
	my ($checkout, $evidence, $tree) = @_;
	my $draft = "$checkout->{own}/hive/tree.$$";
	my $where = where_is($checkout, $tree) or return;
	mkdir "$checkout->{own}/hive", 0777;
	create($draft, "$tree$where$evidence") && rename $draft, "$checkout->{own}/hive/tree" or unlink $draft;
}

# Git may let go of a tree that nothing refers to, but not while it is as young as one that was made now; its packs change when it does
# so to one of them.
sub where_is {
	my ($checkout, $tree) = @_;
	my $objects = "$checkout->{common}/objects";
	my ($folder, $name) = $tree =~ /^(..)(\w+)\n\z/;
	return "loose\n" if utime undef, undef, "$objects/$folder/$name";
	my @packs = (stat "$objects/pack")[1, 9];
	return @packs && $packs[1] < time - 1 ? "packed @packs\n" : '';
}
`;
