import {join} from 'node:path';
import {trustFile} from '../colony/configuration/trust-file.ts';
import type {ForgeSettings} from '../colony/forge.ts';
import {loadMachine} from '../colony/load-machine.ts';
import {chooseSlug, distinguish, isSlug} from '../colony/slug.ts';
import {accepted, type Outcome, refuse} from '../domain/errors.ts';
import {acceptedFile, parseNotes} from '../workspaces/outside/planted.ts';
import {type TakeOverContext, takeOver} from './take-over.ts';

export const colonyFile = '.hive/colony.yaml';

/** The text of `colony.yaml`, and the slug and the id if it has them. */
export type Present = {
	readonly slug?: string;
	readonly id?: string;
	readonly text?: string;
	/** True if merges are pushed to the upstream of their base. */
	readonly isShared?: boolean;
	readonly forge?: ForgeSettings;
};
export type MachineHome = {
	readonly slug: string;
	readonly folder: string;
	/** The root that the checkout was moved from. */
	readonly before?: string;
};

/** Whether a checkout that was moved keeps its log. */
type TakesOver = {readonly takesOver?: boolean | undefined};

/**
 * Chooses the slug and the machine-local directory. A colony keeps its slug. If another checkout of this
 * machine uses the directory, a suffix is added. A checkout that was moved keeps its own
 * (docs/architecture.md §3).
 */
export const chooseHome = async (
	context: TakeOverContext,
	root: string,
	{slug: present, takesOver}: Present & TakesOver,
): Promise<Outcome<MachineHome>> => {
	const {files, git, home} = context;
	const origin = await git.attempt(['remote', 'get-url', 'origin'], {cwd: root});
	const slug = present ?? chooseSlug(origin.exitCode === 0 ? origin.stdout : undefined, root);
	const machine = await loadMachine(files, join(home, slug));
	if (!machine.ok) return machine;
	const isTaken = machine.value !== undefined && machine.value.colonyRoot !== root;
	const own = isTaken ? distinguish(slug, root) : slug;
	const folder = join(home, own);
	// Fails here, before anything is written, if a file is in the folder's place.
	await files.list(folder);
	const known = await loadMachine(files, folder);
	if (!known.ok) return known;
	if (takesOver === true && present === undefined) return nothingToTakeOver();
	if (present === undefined) return accepted({slug: own, folder});
	if (known.value?.colonyRoot === root) return accepted({slug, folder});
	const taken = await takeOver(context, {root, slug, folder, takesOver});
	return taken.ok ? accepted({slug, folder, ...taken.value}) : taken;
};

/**
 * Returns the notes that were accepted at the last init of this checkout, under any slug, or of the checkout
 * that it takes over. Undefined at the first init.
 */
export const knownNotes = async (
	{files, home}: TakeOverContext,
	root: string,
	{slug, takesOver}: Present & TakesOver,
): Promise<readonly string[] | undefined> => {
	for (const name of (await files.list(home)).filter(isSlug)) {
		const machine = await loadMachine(files, join(home, name));
		if (!machine.ok || machine.value === undefined) continue;
		const {colonyRoot, slug: own} = machine.value;
		const text = await files.read(join(home, name, acceptedFile));
		if (text !== undefined && (colonyRoot === root || (takesOver === true && own === slug)))
			return parseNotes(text);
	}
	return undefined;
};

/**
 * Refuses another slug while changes await a person's approval. The new slug would give another folder,
 * without a record of these changes, and an agent can write a slug.
 */
export const refuseRenamed = async (
	{files, home}: TakeOverContext,
	root: string,
	{slug, folder}: MachineHome,
) => {
	for (const name of (await files.list(home)).filter(isSlug)) {
		const other = join(home, name);
		const machine = other === folder ? undefined : await loadMachine(files, other);
		if (!machine?.ok || machine.value?.colonyRoot !== root) continue;
		if ((await files.read(trustFile(other))) === undefined) continue;
		const {slug: before} = machine.value;
		return refuse('wrong_status', {
			message: `${colonyFile} names the slug "${slug}", but the previous slug "${before}" has open runs, or changes that wait for you.`,
			hint: `Set "slug: ${before}" again. Run "hive doctor --accept" and wait until the runs end, then change the slug.`,
		});
	}
	return undefined;
};

const nothingToTakeOver = () =>
	refuse('wrong_status', {
		message: 'This checkout cannot take over a log: it is no colony yet.',
		hint: 'Leave --take-over out.',
	});
