import {dirname} from 'node:path';
import {type AdapterName, adapters} from './colony.ts';
import {type BusFile, readBus} from './parse-bus.ts';
import {fields, type Parsed, parseFile, plainArgument, type Reader, text} from './reader.ts';
import type {YamlReading} from './yaml-tree.ts';

/** How this machine starts an adapter (docs/rules.md §9). */
export type MachineAdapter = {readonly binary?: string; readonly apiKeyEnv?: string};

/** `config.yaml` of the machine-local directory. */
export type MachineFile = {
	/** Absolute root of the checkout that the directory belongs to. */
	readonly colonyRoot: string;
	readonly slug: string;
	/** Message bus; without the address of one the log is a file of this machine. */
	readonly bus?: BusFile;
	readonly adapters: MachineAdapters;
};

type MachineAdapters = Readonly<Partial<Record<AdapterName, MachineAdapter>>>;

/** Reads `~/.config/hive/<slug>/config.yaml`. `nats` is the older name of `bus`, which wins. */
export const parseMachineYaml = (file: string, reading: YamlReading): Parsed<MachineFile> =>
	parseFile(file, reading, readMachine(dirname(file)));

/** Reads `~/.config/hive/<slug>/adapters/<name>.yaml`. */
export const parseAdapterYaml = (file: string, reading: YamlReading): Parsed<MachineAdapter> =>
	parseFile(file, reading, readAdapter);

/** The variable that a broken adapter file seems to name for its key, whose value is a secret all the same. */
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

const machineFields = (folder: string) =>
	fields(
		{
			colony_root: text,
			slug: text,
			bus: readBus(folder),
			nats: readBus(folder),
			adapters: fields({alpha: readAdapter, beta: readAdapter, script: readAdapter}),
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
			...(bus && {bus}),
			adapters: Object.fromEntries(known),
		};
	};

/** The text of a fresh `config.yaml`. */
export const renderMachineYaml = (colonyRoot: string, slug: string): string =>
	`colony_root: ${JSON.stringify(colonyRoot)}\nslug: ${slug}\n`;
