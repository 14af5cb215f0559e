import {chmod, mkdir, mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {onTestFinished} from 'vitest';
import type {ColonyOnDisk} from './colony-on-disk.ts';
import {openRepository, type Repository} from './repository.ts';

/** A bare repository that clones share their base through. */
export type Remote = {
	readonly path: string;
	/** The newest commit of `main` there. */
	readonly tip: () => Promise<string>;
	/** Sets the script of a hook there, or removes it. */
	readonly hook: (name: 'update', script: string | undefined) => Promise<void>;
	/** A colleague's clone without a colony. */
	readonly clone: () => Promise<Repository>;
};

/** Makes a bare repository the upstream of `main`, and has a person accept it. */
export const shareBase = async (colony: ColonyOnDisk): Promise<Remote> => {
	const path = await folder('remote');
	await colony.git(['init', '--quiet', '--bare', '--initial-branch=main', path]);
	const remote = openRepository(path);
	await colony.git(['remote', 'add', 'origin', path]);
	await colony.git(['push', '--quiet', '--set-upstream', 'origin', 'main']);
	await colony.ask(['init', '--accept']);
	return {
		path,
		tip: () => remote.git(['rev-parse', 'refs/heads/main']),
		hook: async (name, script) => {
			const file = join(path, 'hooks', name);
			if (script === undefined) return rm(file, {force: true});
			await mkdir(join(path, 'hooks'), {recursive: true});
			await writeFile(file, `#!/bin/sh\n${script}\n`);
			await chmod(file, 0o755);
		},
		clone: async () => {
			const root = join(await folder('colleague'), 'shop');
			await remote.git(['clone', '--quiet', path, root]);
			const clone = openRepository(root);
			await clone.git(['config', 'user.name', 'Bob']);
			await clone.git(['config', 'user.email', 'bob@example.org']);
			return clone;
		},
	};
};

/** Commits a file in a colleague's clone and pushes it. */
export const pushFile = async (clone: Repository, path: string, text: string): Promise<string> => {
	await clone.git(['pull', '--quiet', '--ff-only']);
	await clone.write(path, text);
	const commit = await clone.commit(`Add ${path}`);
	await clone.git(['push', '--quiet']);
	return commit;
};

const folder = async (name: string): Promise<string> => {
	const made = await mkdtemp(join(tmpdir(), `hive-${name}-`));
	onTestFinished(() => rm(made, {recursive: true, force: true, maxRetries: 5, retryDelay: 100}));
	return made;
};
