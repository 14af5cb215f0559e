import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {onTestFinished} from 'vitest';
import {createForge} from '../../source/drivers/forge/create-forge.ts';
import {type Forge, ForgeError, type ForgePlace} from '../../source/ports/forge.ts';
import {type ForgeServer, startForgeServer} from '../forge-server/server.ts';
import {createRepository, type Repository} from '../helpers/repository.ts';

export const providers: readonly ForgePlace['provider'][] = ['github', 'gitlab'];

type ProcessOptions = Partial<Parameters<typeof createForge>[2]> & {
	readonly place?: ForgePlace;
	readonly token?: string;
};

export type OpenedForge = {
	readonly server: ForgeServer;
	readonly forge: Forge;
	/** Another process, with the same token unless another is given. */
	readonly open: (options?: ProcessOptions) => Forge;
	/** A clone whose remote is the bare repository of the server, which is empty before. */
	readonly clone: () => Promise<Repository>;
	/** Commits a file on a branch, and pushes it. Returns the commit. */
	readonly push: (branch: string, files?: Readonly<Record<string, string>>) => Promise<string>;
};

/** Starts a forge with one repository. It ends with its test. */
export const openForge = async (provider: ForgePlace['provider']): Promise<OpenedForge> => {
	const folder = await mkdtemp(join(tmpdir(), 'hive-forge-'));
	onTestFinished(() => rm(folder, {recursive: true, force: true, maxRetries: 5, retryDelay: 100}));
	const bare = join(folder, 'hive.git');
	const server = await startForgeServer({bare});
	onTestFinished(server.stop);
	server.allow('ada', 'admin');
	server.allow('ben', 'read');
	const open: OpenedForge['open'] = ({
		place = server.place(provider),
		token = server.token,
		...options
	} = {}) => createForge(place, token, {userAgent: 'hive-test', isHasty: true, ...options});
	let cloned: Promise<Repository> | undefined;
	const clone = (): Promise<Repository> => {
		cloned ??= cloneInto(bare);
		return cloned;
	};
	return {
		...{server, open, clone, forge: open()},
		push: async (branch, files = {[`${branch}.txt`]: `${branch}\n`}) => {
			const repository = await clone();
			await repository.git(['checkout', '--quiet', '-B', branch, 'main']);
			for (const [path, text] of Object.entries(files)) await repository.write(path, text);
			const commit = await repository.commit(`work on ${branch}`);
			await repository.git(['push', '--quiet', '--force', 'origin', branch]);
			return commit;
		},
	};
};

/** A repository with a commit on main, whose remote is a bare clone of it. */
const cloneInto = async (bare: string): Promise<Repository> => {
	const repository = await createRepository({'readme.md': 'hive\n'});
	await repository.git(['clone', '--quiet', '--bare', repository.root, bare]);
	await repository.git(['remote', 'add', 'origin', bare]);
	return repository;
};

/** The error of a call that fails. */
export const failureOf = async (call: Promise<unknown>): Promise<ForgeError> => {
	const error = await call.then(
		() => new Error('The call succeeded.'),
		(error: unknown) => error,
	);
	if (error instanceof ForgeError) return error;
	throw error;
};

export const draft = {
	...{title: 'Work', body: 'What was done.', branch: 'work', base: 'main', isDraft: false},
	...{reviewers: [], labels: []},
} as const;
