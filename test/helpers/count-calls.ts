/** The counted actions of traced processes, without their threads. */
export type Calls = {
	/** The number of processes started by fork, vfork or clone. */
	readonly processes: number;
	/** The name of every program that ran, in order. */
	readonly programs: readonly string[];
	/** The number of syncs to the disk that a process waited for. */
	readonly syncs: number;
	/**
	 * The number of flushes of files and cursor. They happen at intervals, beside the syncs that runs wait for.
	 */
	readonly accounts: number;
};

/** Returns the start of a command line whose trace in `file` `countCalls` can read. */
export const tracer = (file: string): readonly string[] => [
	...['strace', '--follow-forks', '--quiet=all', '--signal=none', '-s', '4096', `--output=${file}`],
	'--trace=fork,vfork,clone,clone3,execve,fsync,fdatasync,sync_file_range,msync,rename',
];

/** @param text the output of `tracer`: a process and its call on each line */
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

/** Joins calls into one line each, because strace splits a call if another process makes one meanwhile. */
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
