import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {onTestFinished} from 'vitest';
import type {ForgePlace} from '../../source/ports/forge.ts';
import {type ForgeServer, startForgeServer} from '../forge-server/server.ts';
import {type ColonyOnDisk, createColony} from './colony-on-disk.ts';
import {openRepository, type Repository} from './repository.ts';

export type ForgeColony = {
	readonly colony: ColonyOnDisk;
	readonly server: ForgeServer;
	/** The repository at the forge. */
	readonly bare: Repository;
	/** The environment of a person with a token. */
	readonly env: Readonly<Record<string, string>>;
	/** Adds a trace whose one task has the trace's name, and lets it be worked on. */
	readonly work: (name: string) => ReturnType<ColonyOnDisk['hive']>;
	/** Runs a command with the token. */
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
	const hive: ForgeColony['hive'] = (...args) => colony.hive(args, {env});
	return {
		...{colony, server, bare, env, hive},
		work: async name => {
			const args = ['--trace', name, '--task', name, '--title', `Build ${name}`, '--body', 'x', '--autorun'];
			await colony.ask(['task', 'create', ...args]);
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
