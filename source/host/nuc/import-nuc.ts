import {join} from 'node:path';
import type {ConfigContext} from '../../actions/context.ts';
import {refuseInsideRun} from '../../actions/decide-and-append.ts';
import type {Colony} from '../../colony/colony.ts';
import {loadColony} from '../../colony/load-colony.ts';
import {type Nuc, parseNuc} from '../../colony/nuc.ts';
import {errorsIn} from '../../colony/rules.ts';
import {accepted, type Detail, type Outcome, refuse} from '../../domain/errors.ts';
import type {Files} from '../../ports/files.ts';
import {missing} from './export-nuc.ts';
import {findLinks} from './find-links.ts';
import {layerTexts} from './layer-texts.ts';
import {writeAllOrNothing} from './write-all.ts';

export type ImportInput = {
	/** Its name in problems: the path that it was read from. */
	readonly source: string;
	readonly text: string;
	/** Ids of the cues to import. Empty: all. */
	readonly cues: readonly string[];
	/** True to replace files that differ. Otherwise they are kept. */
	readonly force: boolean;
	/** True to report what would be done, without doing it. */
	readonly dryRun: boolean;
};

export type ImportReport = {
	readonly name: string;
	readonly description: string;
	/** Root-relative, in order. `same`: the file already has this text. `kept`: it differs, and stays. */
	readonly files: readonly PlannedFile[];
};

type PlannedFile = {readonly path: string; readonly does: 'create' | 'replace' | 'same' | 'kept'};

/**
 * Adds the bees, cues and prompts of a nuc to the colony, all or nothing (docs/rules.md §9). The resulting
 * colony is checked first. It is refused (`invalid_nuc`) with every error that the present colony does not
 * have. Links are never followed.
 */
export const importNuc = async (
	context: ConfigContext,
	{source, text, cues, force, dryRun}: ImportInput,
): Promise<Outcome<ImportReport>> => {
	const refused = refuseInsideRun(context);
	if (refused !== undefined) return refused;
	const {value: whole, problems} = await parseNuc(source, text);
	if (whole === undefined) return refuseNuc(problems);
	const unknown = missing('cue', cues, whole.cues, 'the nuc');
	if (unknown.length > 0)
		return refuse('file_not_found', {
			message: 'The nuc lacks some of the named cues.',
			hint: 'See "cues" in the nuc.',
			details: unknown,
		});
	const nuc: Nuc =
		cues.length === 0
			? whole
			: {...whole, cues: new Map([...whole.cues].filter(([id]) => cues.includes(id)))};
	const {colony, files} = context;
	const targets = await targetsOf(nuc, colony, files);
	const links = await findLinks(targets.keys(), colony.root, files);
	if (links.length > 0) return refuseNuc(links);
	const planned = await planFiles(targets, {force, root: colony.root, files});
	const texts = new Map([...targets].filter(([path]) => isWritten(planned, path)));
	const wrong = await newErrors(colony, files, texts);
	if (wrong.length > 0) return refuseNuc(wrong);
	const {writeAccepted = async (_, write) => write()} = context;
	const paths = [...texts.keys()].map(path => join(colony.root, path));
	if (!dryRun) await writeAccepted(paths, () => writeAllOrNothing(files, colony.root, texts));
	return accepted({name: nuc.name, description: nuc.description, files: planned});
};

const refuseNuc = (details: readonly Detail[]) => refuse('invalid_nuc', {details});

/** Texts by root-relative target path. An existing bee or cue keeps its file's path. */
const targetsOf = async (nuc: Nuc, colony: Colony, files: Files): Promise<ReadonlyMap<string, string>> => {
	const cues = await Promise.all(
		[...nuc.cues].map(async ([id, text]) => [await cueFile(id, colony, files), text] as const),
	);
	return new Map([
		...[...nuc.bees].map(
			([role, text]) => [colony.bees.get(role)?.file ?? `.hive/bees/${role}.yaml`, text] as const,
		),
		...[...nuc.prompts].map(([path, text]) => [`.hive/prompts/${path}`, text] as const),
		...cues,
	]);
};

const cueFile = async (id: string, {root}: Colony, files: Files): Promise<string> => {
	const short = `.hive/cues/${id}.yml`;
	return (await files.read(join(root, short))) === undefined ? `.hive/cues/${id}.yaml` : short;
};

const planFiles = (
	targets: ReadonlyMap<string, string>,
	{force, root, files}: {force: boolean; root: string; files: Files},
): Promise<PlannedFile[]> =>
	Promise.all(
		[...targets].map(async ([path, text]) => {
			const present = await files.read(join(root, path));
			if (present === undefined) return {path, does: 'create'} as const;
			if (present === text) return {path, does: 'same'} as const;
			return {path, does: force ? 'replace' : 'kept'} as const;
		}),
	);

const isWritten = (planned: readonly PlannedFile[], path: string): boolean =>
	planned.some(file => file.path === path && (file.does === 'create' || file.does === 'replace'));

/** Errors that the colony would have with these files and does not have without them. */
const newErrors = async (
	colony: Colony,
	files: Files,
	texts: ReadonlyMap<string, string>,
): Promise<Detail[]> => {
	const wanted = await loadColony(layerTexts(files, colony.root, texts), colony.root);
	if (!wanted.ok) return [...wanted.refusal.details];
	const known = new Set(errorsOf(colony).map(({path, message}) => `${path} ${message}`));
	return errorsOf(wanted.value).filter(({path, message}) => !known.has(`${path} ${message}`));
};

const errorsOf = (colony: Colony): Detail[] =>
	errorsIn(colony).map(({path, message, fix}) => ({path, message, hint: fix}));
