import {spawn} from 'node:child_process';
import {once} from 'node:events';

/**
 * What goes before a command to have it adopt every orphan among its descendants, as the first process of the machine
 * would otherwise (PR_SET_CHILD_SUBREAPER): a process stays below it whatever it does to its session, its environment and
 * its parents. The command keeps the pid, its arguments and its environment. Nothing where the system cannot: not Linux,
 * no perl, or the call is refused.
 */
export const adopterCommand = (): Promise<readonly string[]> => {
	found ??= find();
	return found;
};

let found: Promise<readonly string[]> | undefined;

/** Numbers of prctl(2), by architecture. */
const prctl: Partial<Record<NodeJS.Architecture, number>> = {
	x64: 157,
	arm64: 167,
	riscv64: 167,
	loong64: 167,
	arm: 172,
	ia32: 172,
	ppc64: 171,
	s390x: 172,
};

const find = async (): Promise<readonly string[]> => {
	const number = prctl[process.arch];
	if (process.platform !== 'linux' || number === undefined) return [];
	const adopt = `syscall(${number}, 36, 1)`;
	return (await succeeds([...perl, `exit(${adopt} != 0)`]))
		? [...perl, `${adopt}; exec {$ARGV[0]} @ARGV`]
		: [];
};

/** The system's own, never one that a workspace has; -t and -f have it heed no PERL5OPT and no site's settings. */
const perl = ['/usr/bin/perl', '-tfe'] as const;

const succeeds = async ([command = '', ...args]: readonly string[]): Promise<boolean> => {
	try {
		const [code] = await once(spawn(command, args, {cwd: '/', env: {}, stdio: 'ignore'}), 'exit');
		return code === 0;
	} catch {
		return false;
	}
};
