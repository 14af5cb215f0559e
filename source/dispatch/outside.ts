import {join} from 'node:path';
import {maxOutsideNameLength, type Outside, outsideOf, outsideWarnings} from '../domain/outside.ts';
import type {RunRecord} from '../domain/run.ts';
import {compareOutside} from '../workspaces/outside/compare-outside.ts';
import {describeOutsideChanges} from '../workspaces/outside/describe-outside-changes.ts';
import {type OutsideState, readOutside} from '../workspaces/outside/outside-state.ts';
import {compareRootFiles, type RootFiles, readPathStates} from '../workspaces/outside/root-files.ts';
import type {DispatchPorts} from './ports.ts';
import type {RedactingPorts} from './redacting.ts';
import {cutEnd} from './remains.ts';

type RunId = Pick<RunRecord, 'agentId'>;

/** It is in the machine's folder, where an agent that keeps to its workspace does not write. */
const folderOf = ({machineDir}: Pick<DispatchPorts, 'machineDir'>, {agentId}: RunId): string =>
	join(machineDir, 'outside', agentId);

const stateFile = 'state.json';
const filesFile = 'files.json';

/**
 * Records the state outside the workspace before its run begins; an existing record is kept. The returned
 * function records the root's files once they are read, so that the agent need not wait for that.
 */
export const recordOutside = async (ports: RedactingPorts, run: RunId): Promise<() => Promise<void>> => {
	const {git, files, clock, colony, rootFiles, report} = ports;
	const folder = folderOf(ports, run);
	const write = (name: string, value: OutsideState | RootFiles) =>
		files.create(join(folder, name), `${JSON.stringify(value)}\n`, {mode: 0o600});
	const readingRootFiles = (rootFiles.known() ?? rootFiles.readFiles()).catch((error: unknown) =>
		report(`The uncommitted changes in ${colony().root} could not be read.`, error),
	);
	await write(stateFile, await readOutside(git, files, colony().root, clock.now()));
	return async () => {
		const found = await readingRootFiles;
		if (found) await write(filesFile, found);
	};
};

/** The differences outside a run's workspace since it began, and the warnings about them. */
export type OutsideOfRun = {readonly facts: Outside | undefined; readonly warnings: readonly string[]};

const nothing: OutsideOfRun = {facts: undefined, warnings: []};

/** @param watchesFiles false for a run in the root, whose files are its workspace */
export const outsideOfRun = async (
	ports: RedactingPorts,
	run: RunId,
	watchesFiles: boolean,
): Promise<OutsideOfRun> => {
	const {git, files, clock, colony, redact} = ports;
	const {root} = colony();
	const folder = folderOf(ports, run);
	const before = parse<OutsideState>(await files.read(join(folder, stateFile)));
	if (before === undefined) return nothing;
	const earlier = watchesFiles ? parse<RootFiles>(await files.read(join(folder, filesFile))) : undefined;
	const [after, unsaved] = await Promise.all([
		readOutside(git, files, root, clock.now()).then(redacted),
		earlier && ports.rootFiles.readFiles().then(redacted),
	]);
	const differences = compareOutside(before, after);
	const isOf = (what: string, change?: string) =>
		differences.some(fact => fact.what === what && (change === undefined || fact.change === change));
	const moved = {head: headCommit(before) !== headCommit(after), stash: isOf('stash', 'added')};
	const gitFacts = await describeOutsideChanges(git, root, differences, after);
	const ofFiles =
		earlier && unsaved
			? compareRootFiles(earlier, unsaved, {moved, since: before.at, readState: readPathStates(root)})
			: [];
	const cut = (text: string) => cutEnd(redact(text), maxOutsideNameLength - 1);
	const facts = [...gitFacts, ...ofFiles].map(fact => ({
		...fact,
		name: cut(fact.name),
		...(fact.before !== undefined && {before: cut(fact.before)}),
		...(fact.after !== undefined && {after: cut(fact.after)}),
		...(fact.commits && {commits: fact.commits.map(redact)}),
	}));
	return {facts: outsideOf(facts), warnings: outsideWarnings(facts)};

	// The earlier record is redacted. Redact the new state too, or every value with a secret would differ.
	function redacted<Value>(value: Value): Value {
		return JSON.parse(redact(JSON.stringify(value))) as Value;
	}
};

const headCommit = ({head, refs}: OutsideState): string => `${head} ${refs[head] ?? ''}`;

const parse = <Value>(text: string | undefined): Value | undefined => {
	try {
		return text === undefined ? undefined : (JSON.parse(text) as Value);
	} catch {
		return undefined;
	}
};

/** Removes the record of a run that is over. */
export const removeOutsideRecord = async (ports: DispatchPorts, run: RunId): Promise<void> => {
	try {
		await ports.files.remove(folderOf(ports, run));
	} catch (error) {
		ports.report(`The notes from before run ${run.agentId} could not be removed.`, error);
	}
};
