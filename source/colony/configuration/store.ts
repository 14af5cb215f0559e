import type {Detail} from '../../domain/errors.ts';
import type {Colony} from '../colony.ts';
import type {Machine} from '../load-machine.ts';
import type {ReadYaml} from '../parse/yaml-tree.ts';
import {
	changedPaths,
	createReadAll,
	type InForce,
	keepLastGood,
	type Location,
	nameOf,
	startWith,
} from './read.ts';
import type {AwaitingChange} from './state.ts';
import {createTrust, readTrusted, type TrustPorts} from './trust.ts';
import {parseTrust, trustFile} from './trust-file.ts';
import {type Followed, watchFiles} from './watch.ts';
import type {RecordedWriters} from './writers.ts';

/** The configuration of one checkout in one process. `state.ts` shows which version of a file is in force. */
export type ConfigurationStore = RecordedWriters & {
	/**
	 * The configuration in force. `colony.problems` has all problems: of its files, of changes that await a
	 * person's approval, and of replaced broken files.
	 */
	readonly current: () => Configuration;
	/** Ids of the writers that may be writing in the checkout now. */
	readonly writers: () => Promise<readonly string[]>;
	/** The changes that await a person's approval, read from disk. */
	readonly changes: () => Promise<readonly AwaitingChange[]>;
	/**
	 * Accepts the changes that a person saw (`digestOf`). False, without an effect, if the changes differ by
	 * now.
	 */
	readonly accept: (seen: string) => Promise<boolean>;
	/**
	 * Keeps `current` up to date with the files until the signal aborts. Throws as `openConfiguration` does.
	 */
	readonly follow: (following: {
		readonly signal: AbortSignal;
		/** Notified of each change once it is in force, in sentences. */
		readonly changed: (sentences: readonly string[]) => void;
	}) => Promise<Followed>;
};

type Configuration = {
	readonly colony: Colony;
	readonly machine: Machine;
	/**
	 * The problems that explain why the configuration in force differs from the files on disk. A follower is
	 * notified of them.
	 */
	readonly notes: readonly Detail[];
};

type Ports = TrustPorts & {readonly readYaml: ReadYaml};

/** Reads the configuration. Throws `no_colony` and `invalid_config`. */
export const openConfiguration = async (ports: Ports, location: Location): Promise<ConfigurationStore> => {
	const {files, readYaml} = ports;
	const readAll = createReadAll(location, readYaml);
	const source = {files, location, readAll};
	const start = async (): Promise<State & {readonly text: string | undefined}> => {
		const {reading, awaiting, text} = await readTrusted(source);
		return {...stateOf(startWith(reading), awaiting), text};
	};
	let current: State = await start();
	const {take, isTaken, ...trust} = createTrust(ports, source, () => current.inForce.versions);
	return {
		...trust,
		current: () => current.configuration,
		changes: async () => (await readTrusted(source, current.inForce.versions)).changes,
		writers: async () => {
			const {folder} = location;
			const trust = parseTrust(folder, await files.read(trustFile(folder)));
			return trust.writers.map(({id}) => id);
		},
		follow: async ({signal, changed}) => {
			const {text: first, ...started} = await start();
			let known: State = started;
			current = known;
			take(first);
			const followed = await watchFiles(ports, location, {
				signal,
				inForce: () => known.inForce.versions,
				isTaken,
				read: () => readTrusted(source, known.inForce.versions),
				take: async ({reading, awaiting, text}) => {
					const before = known;
					known = stateOf(await keepLastGood(readAll, before.inForce, reading), awaiting);
					take(text);
					const changes = changesOf(location.root, before, known);
					if (signal.aborted || (changes.length === 0 && known.notes.length >= before.notes.length)) return;
					current = known;
					changed(changes);
				},
			});
			if (known.notes.length > 0) changed(known.notes.map(sentenceOf));
			return followed;
		},
	};
};

type State = {
	readonly inForce: InForce;
	/** Why the configuration in force differs from the files on disk, located as `problems` are. */
	readonly notes: readonly Detail[];
	readonly configuration: Configuration;
};

const stateOf = (inForce: InForce, awaiting: readonly Detail[]): State => {
	const {colony, machine, kept} = inForce;
	const notes = [...awaiting, ...kept];
	return {
		inForce,
		notes,
		configuration: {colony: {...colony, problems: [...notes, ...colony.problems]}, machine, notes},
	};
};

const sentenceOf = ({path, message}: Detail): string => `${path}: ${message}.`;

const changesOf = (root: string, before: State, now: State): string[] => {
	const known = new Set(before.notes.map(sentenceOf));
	return [
		...changedPaths(before.inForce.versions, now.inForce.versions).map(
			path => `${nameOf(root, path)} is read again.`,
		),
		...now.notes.map(sentenceOf).filter(sentence => !known.has(sentence)),
	];
};
