import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {onTestFinished, vi} from 'vitest';
import type {ForgePlace} from '../../source/ports/forge.ts';
import {type ForgeServer, startForgeServer} from '../forge-server/server.ts';
import {type ColonyOnDisk, createColony} from './colony-on-disk.ts';
import {openRepository, type Repository} from './repository.ts';
import {runLine} from './run-line.ts';

export type ForgeColony = {
	readonly colony: ColonyOnDisk;
	readonly server: ForgeServer;
	/** The repository at the forge. */
	readonly bare: Repository;
	/** The environment of a person with a token. */
	readonly env: Readonly<Record<string, string>>;
	/** Adds traces whose one task has the trace's name, and lets them be worked on. */
	readonly work: (...names: readonly string[]) => ReturnType<ColonyOnDisk['hive']>;
	/** Runs a command with the token; one about the forge in the process of the tests. */
	readonly hive: (...args: readonly string[]) => ReturnType<ColonyOnDisk['hive']>;
	/** The one request of the trace, as scripts read it. */
	readonly request: (traceId: string) => Promise<Record<string, unknown>>;
};

type ForgeScene = Pick<NonNullable<Parameters<typeof createColony>[0]>, 'bees' | 'files'> & {
	readonly provider?: ForgePlace['provider'];
	/** Settings of the colony beside the forge. */
	readonly others?: object;
};

const tokenVariables = {github: 'GITHUB_TOKEN', gitlab: 'GITLAB_TOKEN'} as const;

/** Creates a colony whose repository is at a forge on this machine, which a person has accepted. */
export const createForgeColony = async (
	settings: object = {},
	{provider = 'github', others = {}, ...scene}: ForgeScene = {},
): Promise<ForgeColony> => {
	const path = await mkdtemp(join(tmpdir(), 'hive-forge-'));
	onTestFinished(() => rm(path, {recursive: true, force: true, maxRetries: 5, retryDelay: 100}));
	const bare = openRepository(path);
	await bare.git(['init', '--quiet', '--bare', '--initial-branch=main', path]);
	const server = await startForgeServer({bare: path});
	onTestFinished(server.stop);
	server.allow('ada', 'admin');
	server.allow('ben', 'read');
	const forge = {...server.place(provider), ...settings};
	const colony = await createColony({...scene, settings: {forge, ...others}});
	await colony.git(['push', '--quiet', path, 'main']);
	await colony.git(['remote', 'add', 'origin', server.gitUrl()]);
	await colony.ask(['init', '--accept']);
	const env = {[tokenVariables[provider]]: server.token};
	const hive: ForgeColony['hive'] = (...args) =>
		args[0] === 'forge'
			? runHere(args, {cwd: colony.root, env: {...colony.env, ...env}})
			: colony.hive(args, {env});
	return {
		...{colony, server, bare, env, hive},
		work: async (...names) => {
			for (const name of names) {
				const args = [
					'--trace',
					name,
					'--task',
					name,
					'--title',
					`Build ${name}`,
					'--body',
					'x',
					'--autorun',
				];
				await colony.ask(['task', 'create', ...args]);
			}
			return hive('run', '--until-idle');
		},
		request: async traceId => {
			const {requests} = await colony.ask<{requests: Record<string, unknown>[]}>(['forge', 'list']);
			const found = requests.find(each => each.traceId === traceId);
			if (found === undefined) throw new Error(`${traceId} has no request.`);
			return found;
		},
	};
};

/** Runs a command in the process of the tests, with what it reports on standard error. */
const runHere: typeof runLine = async (args, options) => {
	const reports: string[] = [];
	const spy = vi.spyOn(process.stderr, 'write').mockImplementation(text => {
		reports.push(String(text));
		return true;
	});
	try {
		const ended = await runLine(args, options);
		return {...ended, stderr: `${reports.join('')}${ended.stderr}`};
	} finally {
		spy.mockRestore();
	}
};
