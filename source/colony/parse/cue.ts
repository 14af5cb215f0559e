import {planReviews} from '../../domain/plan-review.ts';
import {reviews} from '../../domain/task.ts';
import type {Cue} from '../colony.ts';
import {
	fields,
	freeForm,
	mapOf,
	type Notes,
	name,
	oneOf,
	type Parsed,
	parseFile,
	positiveInteger,
	type Reader,
	text,
	truth,
} from './reader.ts';
import type {YamlReading, YamlTree} from './yaml-tree.ts';

/** Reads `.hive/cues/<id>.yaml` (docs/rules.md §9). The id is the file's stem. */
export const parseCueYaml = (file: string, reading: YamlReading): Parsed<Cue> =>
	parseFile(file, reading, readCue(file));

const cueFields = fields(
	{
		description: text,
		emit: oneOf(['signal', 'task']),
		energy_budget: positiveInteger,
		type: oneOf(['SIGNAL']),
		kind: name,
		static: freeForm,
		title: text,
		body: text,
		payload_template: mapOf(text),
		bee: name,
		intent: text,
		review: oneOf(reviews),
		autorun: truth,
		plan_review: oneOf(planReviews),
	},
	['emit'],
);

/** Keys that apply to only one of the two kinds of `emit`. */
const keysOf = {
	signal: ['type', 'kind', 'static', 'payload_template'],
	task: ['bee', 'intent', 'review', 'autorun'],
} as const;

const readCue =
	(file: string): Reader<Cue> =>
	(tree, notes) => {
		const stem = file.replace(/^.*\//, '').replace(/\.ya?ml$/, '');
		const id = name({type: 'scalar', line: 1, value: stem, source: stem}, notes);
		const read = cueFields(tree, notes);
		if (read?.emit === undefined || id === undefined) return undefined;
		checkKeys(tree, read.emit, notes);
		return {
			id,
			description: read.description ?? '',
			emit: read.emit,
			...(read.energy_budget && {energyBudget: read.energy_budget}),
			...(read.kind && {kind: read.kind}),
			static: read.static ?? {},
			...(read.title && {title: read.title}),
			...(read.body && {body: read.body}),
			payloadTemplate: Object.fromEntries(read.payload_template ?? []),
			...(read.bee && {bee: read.bee}),
			...(read.intent && {intent: read.intent}),
			review: read.review ?? 'none',
			autorun: read.autorun ?? false,
			...(read.plan_review && {planReview: read.plan_review}),
		};
	};

const checkKeys = (tree: YamlTree, emit: Cue['emit'], notes: Notes): void => {
	if (tree.type !== 'map') return;
	for (const key of emit === 'signal' ? ['type', 'kind'] : [])
		if (!tree.entries.has(key)) notes.problem(tree.line, `a ${emit} cue needs "${key}"`);
	for (const key of keysOf[emit === 'signal' ? 'task' : 'signal']) {
		const entry = tree.entries.get(key);
		if (entry) notes.problem(entry.line, `a ${emit} cue does not use "${key}"`, 'Remove it.');
	}
};
