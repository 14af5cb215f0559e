import {execFile} from 'node:child_process';
import {promisify} from 'node:util';
import type {CanContain, Containment} from '../../ports/containment.ts';
import {findPerl, type Processes} from '../../ports/processes.ts';
import {type BubblewrapPrograms, bubblewrapArgv} from './bubblewrap.ts';
import {sandboxExecArgv} from './sandbox-exec.ts';

/** Timeout of a probe in milliseconds. */
const probeTimeoutMs = 10_000;

/**
 * What this system has: bubblewrap on Linux, `sandbox-exec` on macOS.
 *
 * @param proxy the argv of the proxy for a list of hosts
 */
export const createContainment = (
	which: Processes['which'],
	proxy: readonly string[],
	platform: NodeJS.Platform = process.platform,
): Containment => (platform === 'darwin' ? withSandboxExec(which) : withBubblewrap(which, proxy, platform));

const withBubblewrap = (
	which: Processes['which'],
	proxy: readonly string[],
	platform: NodeJS.Platform,
): Containment => {
	let programs: BubblewrapPrograms | undefined;
	const find = async (): Promise<CanContain> => {
		if (platform !== 'linux')
			return {can: false, why: `hive cannot contain programs on ${platform}`, hint: 'Set "contain: off".'};
		const [bwrap, perl] = await Promise.all([which('bwrap'), findPerl(which)]);
		if (bwrap === undefined)
			return {
				can: false,
				why: 'there is no bwrap on PATH',
				hint: 'Install it: "apt install bubblewrap", or the package of that name elsewhere.',
			};
		if (perl === undefined) return {can: false, why: 'there is no perl on PATH', hint: 'Install perl.'};
		programs = {bwrap, perl, proxy};
		const probed = {places: [{path: '/tmp', as: 'hide'} as const], network: 'none' as const, workspace: '/'};
		return tryOut(bubblewrapArgv(programs, probed, ['true']), {
			by: 'bubblewrap',
			hint: 'Allow user namespaces (on Ubuntu: an AppArmor profile for bwrap), or set "contain: off".',
		});
	};
	const probe = once(find);
	return {
		probe,
		moves: true,
		wrap: (profile, argv) => {
			if (programs === undefined) throw new Error('Containment is used before its probe.');
			return bubblewrapArgv(programs, profile, argv);
		},
	};
};

const withSandboxExec = (which: Processes['which']): Containment => ({
	probe: once(async (): Promise<CanContain> => {
		if ((await which('/usr/bin/sandbox-exec')) === undefined)
			return {can: false, why: 'there is no /usr/bin/sandbox-exec', hint: 'Set "contain: off".'};
		const probed = {places: [], network: 'none' as const, workspace: '/'};
		return tryOut(sandboxExecArgv(probed, ['/usr/bin/true']), {
			by: 'sandbox-exec',
			hint: 'Set "contain: off".',
		});
	}),
	moves: false,
	wrap: sandboxExecArgv,
});

const once = (probe: () => Promise<CanContain>): (() => Promise<CanContain>) => {
	let answer: Promise<CanContain> | undefined;
	return () => {
		answer ??= probe();
		return answer;
	};
};

const tryOut = async (
	[program = '', ...args]: readonly string[],
	{by, hint}: {readonly by: string; readonly hint: string},
): Promise<CanContain> => {
	try {
		await promisify(execFile)(program, args, {timeout: probeTimeoutMs, cwd: '/'});
		return {can: true, by};
	} catch (error) {
		const {stderr = ''}: {stderr?: string} = {...Object(error)};
		const reason = stderr.trim().split('\n').at(-1) || 'it could not be started';
		return {can: false, why: `${by} does not work here: ${reason}`, hint};
	}
};
