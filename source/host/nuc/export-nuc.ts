import {join} from 'node:path';
import type {ConfigContext} from '../../actions/context.ts';
import type {Colony} from '../../colony/colony.ts';
import {maxNucBytes, type Nuc, renderNuc} from '../../colony/nuc.ts';
import {parseBeeYaml} from '../../colony/parse/bee.ts';
import {readYamlUncached} from '../../colony/parse/read-yaml-uncached.ts';
import {accepted, type Detail, type Outcome, refuse} from '../../domain/errors.ts';
import {hintNearest} from '../../domain/nearest.ts';
import type {Files} from '../../ports/files.ts';
import {findLinks} from './find-links.ts';

export type ExportInput = {
	/** Roles and ids to export. If both are empty, everything is exported; otherwise only what is named. */
	readonly bees: readonly string[];
	readonly cues: readonly string[];
	readonly name: string | undefined;
	readonly description: string | undefined;
};

export type ExportedNuc = {readonly nuc: Nuc; readonly text: string};

/**
 * Writes bees, cues and the prompts that they use into one file (docs/rules.md §9). These are the bees' own
 * templates, and every partial once there is a prompt. Files for this machine only (`.local`) are left out.
 * Refuses unknown names, and links, since their targets may not belong to the colony.
 */
export const exportNuc = async (
	{colony, files}: ConfigContext,
	{bees, cues, name, description = ''}: ExportInput,
): Promise<Outcome<ExportedNuc>> => {
	const unknown = [...missing('bee', bees, colony.bees), ...missing('cue', cues, colony.cues)];
	if (unknown.length > 0)
		return refuse('file_not_found', {
			message: 'The colony lacks some of the named parts.',
			hint: 'Bees are files in .hive/bees/, cues in .hive/cues/.',
			details: unknown,
		});
	const all = bees.length === 0 && cues.length === 0;
	const roles = all ? [...colony.bees.keys()] : bees;
	const wantedCues = all ? [...colony.cues.keys()] : cues;
	const links = await findLinks(
		[
			...roles.map(role => beeFile(colony, role)),
			...[...colony.prompts.keys()].map(path => `.hive/prompts/${path}`),
			...wantedCues.flatMap(cueFiles),
		],
		colony.root,
		files,
	);
	if (links.length > 0) return refuse('invalid_nuc', {details: links});
	const chosen = await readBees(files, colony, roles);
	const prompts = promptsFor(colony, chosen);
	const nuc: Nuc = {
		name: name ?? colony.slug,
		description,
		bees: new Map(chosen.map(({role, text}) => [role, text])),
		prompts,
		cues: await readCues(files, colony, wantedCues),
	};
	const text = renderNuc(nuc);
	if (new TextEncoder().encode(text).length <= maxNucBytes) return accepted({nuc, text});
	return refuse('invalid_nuc', {
		message: 'The chosen parts are larger than 256 KiB, the limit of a nuc.',
		hint: 'Name fewer bees with --bees.',
	});
};

export const missing = (
	what: string,
	names: readonly string[],
	known: ReadonlyMap<string, unknown>,
	whole = 'this colony',
): Detail[] =>
	names
		.filter(name => !known.has(name))
		.map(name => ({
			path: name,
			message: `is no ${what} of ${whole}`,
			hint: hintNearest(name, known.keys()),
		}));

type ChosenBee = {
	readonly role: string;
	readonly text: string;
	readonly templates: readonly string[];
};

const beeFile = ({bees}: Colony, role: string): string => bees.get(role)?.file ?? `.hive/bees/${role}.yaml`;

/** As written, without the overrides of `<role>.local.yaml`. */
const readBees = (files: Files, colony: Colony, roles: readonly string[]): Promise<ChosenBee[]> =>
	Promise.all(
		roles.map(async role => {
			const file = beeFile(colony, role);
			const text = (await files.read(join(colony.root, file))) ?? '';
			const {value} = parseBeeYaml(file, await readYamlUncached(text));
			const {promptTemplate, interactiveTemplate, systemTemplate} = value ?? {};
			const templates = [promptTemplate, interactiveTemplate, systemTemplate].flatMap(path => path ?? []);
			return {role, text, templates};
		}),
	);

const promptsFor = (colony: Colony, bees: readonly ChosenBee[]): ReadonlyMap<string, string> => {
	const named = bees.flatMap(({templates}) => templates);
	if (named.length === 0) return new Map();
	const isWanted = (path: string) => path.startsWith('_partials/') || named.includes(path);
	return new Map([...colony.prompts].filter(([path]) => isWanted(path)));
};

/** The two possible file names of a cue. */
const cueFiles = (id: string): string[] => [`.hive/cues/${id}.yaml`, `.hive/cues/${id}.yml`];

const readCues = async (
	files: Files,
	{root}: Colony,
	ids: readonly string[],
): Promise<ReadonlyMap<string, string>> => {
	const texts = await Promise.all(
		ids.map(async id => {
			const found = await Promise.all(cueFiles(id).map(path => files.read(join(root, path))));
			return [id, found.find(text => text !== undefined) ?? ''] as const;
		}),
	);
	return new Map(texts);
};
