/** What processes that were traced did, their own threads left out. */
export type Calls = {
	/** How many processes were started, by fork, vfork or clone. */
	readonly processes: number;
	/** Name of every program that was run, in order. */
	readonly programs: readonly string[];
	/** How often somebody waited for the disk. */
	readonly syncs: number;
	/**
	 * How often files and cursor were brought up to date, as time goes by: the cursor's sync is beside those
	 * that runs wait for.
	 */
	readonly accounts: number;
};

/** The start of the command line under which `countCalls` can read what is written to the file. */
export const tracer = (file: string): readonly string[] => [
	...['strace', '--follow-forks', '--quiet=all', '--signal=none', '-s', '4096', `--output=${file}`],
	'--trace=fork,vfork,clone,clone3,execve,fsync,fdatasync,sync_file_range,msync,rename',
];

/** @param text as `tracer` has it written: a process and what it called on each line */
export const countCalls = (text: string): Calls => {
	const calls = joinLines(text).filter(call => !/= -1 |= \?/.test(call));
	const programs = calls.flatMap(call => /^execve\("(?:[^"]*\/)?([^"/]+)"/.exec(call)?.[1] ?? []);
	return {
		processes: calls.filter(call => /^(v?fork|clone3?)\(/.test(call) && !call.includes('CLONE_THREAD'))
			.length,
		programs,
		syncs: calls.filter(call => /^(fsync|fdatasync|sync_file_range|msync)\(/.test(call)).length,
		accounts: calls.filter(call => /^rename\(.*\/\.newest"\) *=/.test(call)).length,
	};
};

/** One call a line: strace cuts a call in two where another process calls meanwhile. */
const joinLines = (text: string): string[] => {
	const cut = new Map<string, string>();
	return text.split('\n').flatMap(line => {
		const [, pid = '', said = ''] = /^(\d+) +(.*)$/.exec(line) ?? [];
		const begun = /^(.*)<unfinished \.\.\.>$/.exec(said)?.[1];
		if (begun !== undefined) cut.set(pid, begun);
		const rest = /^<\.\.\. \w+ resumed>(.*)$/.exec(said)?.[1];
		if (rest !== undefined) return [`${cut.get(pid) ?? ''}${rest}`];
		return begun === undefined && said !== '' ? [said] : [];
	});
};
