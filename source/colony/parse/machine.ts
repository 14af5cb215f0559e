import {dirname} from 'node:path';
import type {NotifySettings} from '../../domain/notify.ts';
import type {ChatSecrets} from '../chat-secrets.ts';
import {type AdapterName, adapters} from '../colony.ts';
import {type BusFile, readBus} from './bus.ts';
import {readNotify} from './notify.ts';
import {fields, mapOf, type Parsed, parseFile, plainArgument, type Reader, scalarOf, text} from './reader.ts';
import type {YamlReading} from './yaml-tree.ts';

/** This machine's settings of an adapter (docs/rules.md §9). */
export type MachineAdapter = {readonly binary?: string; readonly apiKeyEnv?: string};

/** US dollars per million tokens of a model, by kind. An absent kind costs nothing. */
export type Price = {
	readonly inputTokens?: number;
	readonly outputTokens?: number;
	readonly cacheReadTokens?: number;
	readonly cacheWriteTokens?: number;
};

/** Prices by the name of a model, or a prefix of it. */
export type Prices = ReadonlyMap<string, Price>;

/** `config.yaml` of the machine-local directory. */
export type MachineFile = {
	/** Absolute root of the checkout that the directory belongs to. */
	readonly colonyRoot: string;
	readonly slug: string;
	/** The message bus. Without an address the log is a file of this machine. */
	readonly bus?: BusFile;
	readonly adapters: MachineAdapters;
	/** Prices of models, for tools that report no cost. */
	readonly prices?: Prices;
	/** How a person at this machine is notified. */
	readonly notify?: NotifySettings;
	/** The token of the forge: a text, or the name of a variable that has it. */
	readonly forge?: {readonly token?: string; readonly tokenEnv?: string};
	/** Secrets of `chat.yaml`. */
	readonly chat?: ChatSecrets;
};

type MachineAdapters = Readonly<Partial<Record<AdapterName, MachineAdapter>>>;

/**
 * Reads `~/.config/hive/<slug>/config.yaml`. `nats` is the older name of `bus`; if both are set, `bus`
 * applies.
 */
export const parseMachineYaml = (file: string, reading: YamlReading): Parsed<MachineFile> =>
	parseFile(file, reading, readMachine(dirname(file)));

/** Reads `~/.config/hive/<slug>/adapters/<name>.yaml`. */
export const parseAdapterYaml = (file: string, reading: YamlReading): Parsed<MachineAdapter> =>
	parseFile(file, reading, readAdapter);

/** The variable that a broken adapter file seems to name for its key. Its value is treated as a secret. */
export const namedKey = (source: string): string | undefined =>
	/^\s*api_key_env\s*:\s*["']?([^\s"'#]+)/m.exec(source)?.[1];

const adapterFields = fields({binary: plainArgument, api_key_env: plainArgument});

const readAdapter: Reader<MachineAdapter> = (tree, notes) => {
	const read = adapterFields(tree, notes);
	return (
		read && {
			...(read.binary && {binary: read.binary}),
			...(read.api_key_env && {apiKeyEnv: read.api_key_env}),
		}
	);
};

const dollars = scalarOf('US dollars for a million tokens', ({value}) =>
	typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined,
);

const priceFields = fields({input: dollars, output: dollars, cache_read: dollars, cache_write: dollars});

const readPrice: Reader<Price> = (tree, notes) => {
	const read = priceFields(tree, notes);
	return (
		read && {
			...(read.input !== undefined && {inputTokens: read.input}),
			...(read.output !== undefined && {outputTokens: read.output}),
			...(read.cache_read !== undefined && {cacheReadTokens: read.cache_read}),
			...(read.cache_write !== undefined && {cacheWriteTokens: read.cache_write}),
		}
	);
};

const adapterFiles = Object.fromEntries(adapters.map(name => [name, readAdapter])) as Record<
	AdapterName,
	typeof readAdapter
>;

const machineFields = (folder: string) =>
	fields(
		{
			colony_root: text,
			slug: text,
			bus: readBus(folder),
			nats: readBus(folder),
			adapters: fields(adapterFiles),
			prices: mapOf(readPrice),
			notify: readNotify,
			forge: fields({token: plainArgument, token_env: plainArgument}),
		},
		['colony_root', 'slug'],
	);

const readMachine =
	(folder: string): Reader<MachineFile> =>
	(tree, notes) => {
		const read = machineFields(folder)(tree, notes);
		if (read?.colony_root === undefined || read.slug === undefined) return undefined;
		const bus = read.bus ?? read.nats;
		const known = adapters.flatMap(name => {
			const settings = read.adapters?.[name];
			return settings === undefined ? [] : [[name, settings] as const];
		});
		return {
			colonyRoot: read.colony_root,
			slug: read.slug,
			...(read.forge && {
				forge: {
					...(read.forge.token && {token: read.forge.token}),
					...(read.forge.token_env && {tokenEnv: read.forge.token_env}),
				},
			}),
			...(bus && {bus}),
			adapters: Object.fromEntries(known),
			...(read.prices && {prices: read.prices}),
			...(read.notify && {notify: read.notify}),
		};
	};

/** The text of a fresh `config.yaml`. */
export const renderMachineYaml = (colonyRoot: string, slug: string): string =>
	`colony_root: ${JSON.stringify(colonyRoot)}\nslug: ${slug}\n`;
