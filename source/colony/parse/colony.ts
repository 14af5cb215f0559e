import {isName} from '../../domain/ids.ts';
import {landingStrategies} from '../../domain/landing.ts';
import {planReviews} from '../../domain/plan-review.ts';
import {noChangePolicies} from '../../domain/question.ts';
import {type Colony, pushPolicies} from '../colony.ts';
import {defaults as usual} from '../defaults.ts';
import {refuseSettable} from '../plan-params.ts';
import {isSlug} from '../slug.ts';
import {autoInvites} from './auto-invites.ts';
import {contain} from './contain.ts';
import {forge} from './forge.ts';
import {
	byteCount,
	duration,
	fields,
	listOf,
	name,
	oneOf,
	type Parsed,
	parseFile,
	pathBelow,
	positiveInteger,
	positiveNumber,
	type Reader,
	templatePath,
	text,
} from './reader.ts';
import {setupCache} from './setup-cache.ts';
import {commands, verify} from './verify.ts';
import type {YamlReading} from './yaml-tree.ts';

const nothingToKeep = '"workspaces.cache" keeps what "workspaces.setup" makes, and there is no setup';
const setupFirst = 'Add "workspaces.setup", or remove "workspaces.cache".';

/** The settings in `.hive/colony.yaml`, with defaults filled in. */
export type ColonyFile = Pick<
	Colony,
	| 'slug'
	| 'id'
	| 'defaults'
	| 'sectors'
	| 'subjectPrefix'
	| 'autoInvites'
	| 'workspaces'
	| 'verify'
	| 'contain'
	| 'land'
	| 'forge'
>;

/** Reads `.hive/colony.yaml` (docs/rules.md §9). */
export const parseColonyYaml = (file: string, reading: YamlReading): Parsed<ColonyFile> =>
	parseFile(file, reading, readColony);

const readSlug: Reader<string> = (tree, notes) =>
	tree.type === 'scalar' && isSlug(tree.source)
		? tree.source
		: notes.problem(tree.line, 'a slug is lower-case letters, digits and "-"');

const readId: Reader<string> = (tree, notes) =>
	tree.type === 'scalar' && /^[a-z0-9][a-z0-9_-]{0,63}$/.test(tree.source)
		? tree.source
		: notes.problem(
				tree.line,
				'an id is at most 64 lower-case letters, digits, "-" and "_", first a letter or digit',
			);

const readSectorPath: Reader<string> = (tree, notes) =>
	tree.type === 'map' ? fields({path: pathBelow}, ['path'])(tree, notes)?.path : pathBelow(tree, notes);

const readSectors: Reader<ReadonlyMap<string, string>> = (tree, notes) => {
	if (tree.type !== 'map') return notes.problem(tree.line, 'expected sectors by name');
	const sectors = [...tree.entries].flatMap(([sector, entry]) => {
		if (!isName(sector)) notes.problem(entry.line, `"${sector}" is not a sector name`);
		const path = readSectorPath(entry, notes);
		return path === undefined ? [] : [[sector, path] as const];
	});
	return new Map(sectors);
};

const planParam: Reader<string> = (tree, notes) => {
	const read = text(tree, notes);
	const refused = read === undefined ? undefined : refuseSettable(read);
	return refused === undefined ? read : notes.problem(tree.line, refused.message, refused.hint);
};

const colonyFields = fields(
	{
		slug: readSlug,
		id: readId,
		defaults: fields({
			energy_budget: positiveInteger,
			max_cost: positiveNumber,
			max_tokens: positiveInteger,
			default_bee: name,
			max_parallel_runs: positiveInteger,
			prompt_template: templatePath,
			interactive_template: templatePath,
			system_template: templatePath,
			keep: duration('3650d'),
			session_recording: byteCount('1MiB', '1GiB'),
			leave_running: listOf(text),
			on_limit: oneOf(['pause', 'fail']),
			on_no_change: oneOf(noChangePolicies),
			max_events: positiveInteger,
			large_change: byteCount('1KiB', '1MiB'),
			ask_timeout: duration('365d'),
			plan_params: listOf(planParam),
			plan_review: oneOf(planReviews),
		}),
		sectors: readSectors,
		bus: fields({subject_prefix: text}),
		workspaces: fields({
			setup: commands,
			copy: listOf(pathBelow),
			disposable: listOf(pathBelow),
			cache: setupCache,
		}),
		verify,
		contain,
		land: fields({push: oneOf(pushPolicies), strategy: oneOf(landingStrategies)}),
		forge,
		auto_invites: autoInvites,
	},
	['slug'],
);

const readColony: Reader<ColonyFile> = (tree, notes) => {
	const read = colonyFields(tree, notes);
	if (read?.slug === undefined) return undefined;
	const {defaults = {}, workspaces} = read;
	if (workspaces?.cache && !workspaces.setup?.length) notes.problem(tree.line, nothingToKeep, setupFirst);
	const {prompt_template, interactive_template, system_template, ...others} = defaults;
	const {keep, leave_running, session_recording} = others;
	const subjectPrefix = read.bus?.subject_prefix;
	return {
		slug: read.slug,
		...(read.id && {id: read.id}),
		defaults: {
			budget: {
				energyBudget: defaults.energy_budget ?? usual.energyBudget,
				...(defaults.max_cost && {maxCost: defaults.max_cost}),
				...(defaults.max_tokens && {maxTokens: defaults.max_tokens}),
			},
			defaultBee: defaults.default_bee ?? usual.defaultBee,
			maxParallelRuns: defaults.max_parallel_runs ?? usual.maxParallelRuns,
			...(prompt_template && {promptTemplate: prompt_template}),
			...(interactive_template && {interactiveTemplate: interactive_template}),
			...(system_template && {systemTemplate: system_template}),
			...(keep && {keep}),
			...(session_recording !== undefined && {sessionRecording: session_recording}),
			...(leave_running && {leaveRunning: leave_running}),
			...(defaults.on_limit && {onLimit: defaults.on_limit}),
			...(defaults.on_no_change && {onNoChange: defaults.on_no_change}),
			...(defaults.ask_timeout && {askTimeout: defaults.ask_timeout}),
			...(defaults.max_events && {maxEvents: defaults.max_events}),
			...(defaults.plan_params && {planParams: defaults.plan_params}),
			...(defaults.plan_review && {planReview: defaults.plan_review}),
			...(defaults.large_change !== undefined && {largeChange: defaults.large_change}),
		},
		...(subjectPrefix && {subjectPrefix}),
		...(read.auto_invites && {autoInvites: read.auto_invites}),
		...(read.verify && read.verify !== 'disabled' && {verify: read.verify}),
		...(read.contain && {contain: read.contain}),
		...(read.land && {
			land: {push: read.land.push ?? 'none', strategy: read.land.strategy ?? 'merge'},
		}),
		...(read.forge && {forge: read.forge}),
		...(workspaces && {
			workspaces: {
				setup: workspaces.setup ?? [],
				copy: workspaces.copy ?? [],
				disposable: workspaces.disposable ?? [],
				...(workspaces.cache && {cache: workspaces.cache}),
			},
		}),
		sectors: read.sectors ?? new Map(),
	};
};
