import {version} from '../../package.json';
import {tokenVariables} from '../colony/forge.ts';
import {loadMachine} from '../colony/load-machine.ts';
import type {Outcome} from '../domain/errors.ts';
import {createForge} from '../drivers/forge/create-forge.ts';
import {loginForGit} from '../drivers/forge/git-login.ts';
import {askGithubCommand} from '../drivers/forge/github-command.ts';
import type {ForgeKeys} from '../forge/connect.ts';
import {watchForge as watch} from '../forge/main.ts';
import {readIssue as read} from '../forge/read-issue.ts';
import type {WatchOptions} from '../forge/watch.ts';
import type {Host, ReadIssue, TryForge} from '../host/host.ts';
import {ForgeError, type ForgePlace} from '../ports/forge.ts';
import {files} from '../wire/drivers.ts';

/** Watches the requests of this checkout, with the token of this person. */
export const watchForge = async (
	host: Host,
	options: WatchOptions & {readonly report: (message: string) => void},
): Promise<Outcome<void>> => {
	const folder = await host.machineFolder();
	return watch(
		host,
		{
			...keysOf(folder, host.env),
			loginForGit: (place, token) => loginForGit(folder, place, token),
		},
		options,
	);
};

/** Reads an issue at the forge of the colony, with the token of this person. */
export const readIssue = (
	env: Environment,
	...[{settings, accepted, folder}, number]: Parameters<ReadIssue>
): ReturnType<ReadIssue> => read(settings, accepted, keysOf(folder, env), number);

type Environment = Host['env'];

const keysOf = (folder: string, env: Environment): ForgeKeys => ({
	findToken: place => findToken(place, folder, env),
	createForge: (place, token) => createForge(place, token, {userAgent: `hive/${version}`}),
});

/** Milliseconds of one answer that the doctor waits for. */
const tryTimeoutMs = 5000;

/** Asks the forge what the token of this person may do. */
export const tryForge = async (
	env: Environment,
	...[place, folder]: Parameters<TryForge>
): ReturnType<TryForge> => {
	const token = await findToken(place, folder, env);
	if (token === undefined) return {state: 'no_token'};
	try {
		const options = {userAgent: `hive/${version}`, timeoutMs: tryTimeoutMs};
		const forge = createForge(place, token, options);
		return {state: 'well', access: await forge.examine(), limit: forge.limit()};
	} catch (error) {
		if (!(error instanceof ForgeError)) throw error;
		return {state: 'failed', trouble: error.trouble, message: error.message};
	}
};

/** The token of `config.yaml`, else of the environment, else of the login of GitHub's own command. */
const findToken = async (
	place: ForgePlace,
	folder: string,
	env: Environment,
): Promise<string | undefined> => {
	const machine = await loadMachine(files, folder);
	const {token, tokenEnv} = (machine.ok ? machine.value?.forge : undefined) ?? {};
	const named = tokenEnv === undefined ? undefined : env[tokenEnv];
	const found = token ?? named ?? tokenVariables[place.provider].map(name => env[name]).find(Boolean);
	return found?.trim() || (place.provider === 'github' ? askGithubCommand(place, env) : undefined);
};
