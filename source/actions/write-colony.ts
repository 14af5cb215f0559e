import {join} from 'node:path';
import type {AgentTool} from '../colony/agent-tools.ts';
import {createColonyId, withId} from '../colony/colony-id.ts';
import {renderMachineYaml} from '../colony/parse/machine.ts';
import {
	type ColonyFacts,
	flowFiles,
	ignoredPaths,
	scaffoldColony,
	scaffoldFiles,
} from '../colony/scaffold/scaffold.ts';
import type {Flow} from '../domain/flow.ts';
import type {Files} from '../ports/files.ts';
import {addFlow} from './add-flow.ts';
import {colonyFile, type MachineHome, type Present} from './choose-home.ts';

type Writing = {readonly files: Files; readonly randomHex: (digits: number) => string};

/** The paths that an init wrote or kept, as its report names them. */
type Log = {readonly created: string[]; readonly kept: string[]};
export const createLog = (): Log => ({created: [], kept: []});

export const withSlug = (text: string, slug: string): string => `slug: ${slug}\n${text}`;

/** Creates the files that are not there. */
export const writeAll = async (
	files: Files,
	root: string,
	texts: ReadonlyMap<string, string>,
	log: Log,
): Promise<void> => {
	for (const [path, text] of texts) {
		const isNew = await files.create(join(root, path), text);
		(isNew ? log.created : log.kept).push(path);
	}
};

/** Texts of the files of a fresh colony, by path below the root. */
export const freshFiles = (tool: AgentTool, flow: Flow | undefined): ReadonlyMap<string, string> =>
	new Map([...scaffoldFiles(tool), ...(flow === undefined ? [] : flowFiles(flow, tool))]);

/** Adds to an existing colony the files of a flow that it lacks. Returns the files that differ. */
export const completeFlow = async (
	files: Files,
	root: string,
	{flow, tool}: {readonly flow: Flow | undefined; readonly tool: AgentTool},
	log: Log,
): Promise<readonly string[]> => {
	if (flow === undefined) return [];
	const {created, kept, differing} = await addFlow(files, root, flow, tool);
	log.created.push(...created);
	log.kept.push(...kept);
	return differing;
};

/** Has git ignore what belongs to the machine. */
export const ensureIgnored = async (files: Files, root: string, log: Log): Promise<void> => {
	const path = '.hive/.gitignore';
	const text = await files.read(join(root, path));
	const lines = (text ?? '').split('\n').map(line => line.trim());
	const missing = ignoredPaths.filter(ignored => !lines.includes(ignored));
	if (missing.length > 0) {
		const start = text === undefined || text === '' || text.endsWith('\n') ? (text ?? '') : `${text}\n`;
		await files.write(join(root, path), `${start}${missing.join('\n')}\n`);
	}
	(missing.length > 0 ? log.created : log.kept).push(path);
};

/** Written last in the checkout, so that the next init completes one that was cut short. */
export const writeColony = async (
	{files, randomHex}: Writing,
	root: string,
	{slug, facts}: {readonly slug: string; readonly facts: ColonyFacts},
	present: Present,
	log: Log,
): Promise<void> => {
	const isWhole = present.slug !== undefined && present.id !== undefined;
	(isWhole ? log.kept : log.created).push(colonyFile);
	if (isWhole) return;
	const id = present.id ?? createColonyId(slug, randomHex);
	const text =
		present.text === undefined
			? scaffoldColony(slug, id, facts)
			: await completed(present.text, present, slug, id);
	await files.write(join(root, colonyFile), text);
};

const completed = async (text: string, present: Present, slug: string, id: string): Promise<string> => {
	const named = present.slug === undefined ? withSlug(text, slug) : text;
	return present.id === undefined ? withId(named, id) : named;
};

/** Creates the files of this machine that are not there. */
export const writeMachineFiles = async (
	{files, randomHex}: Writing,
	root: string,
	{slug, folder}: MachineHome,
	log: Log,
): Promise<void> => {
	const texts = {'config.yaml': renderMachineYaml(root, slug), place: `${randomHex(16)}\n`};
	for (const [name, text] of Object.entries(texts)) {
		const path = join(folder, name);
		const isNew = await files.create(path, text, {mode: 0o600});
		(isNew ? log.created : log.kept).push(path);
	}
};
