import {isObject, type JsonObject} from '../domain/json.ts';
import type {Redactor} from '../domain/redact.ts';
import {maxStepLength, maxSteps, type PlanStep} from '../domain/run-progress.ts';
import {sanitizeProse} from '../domain/sanitize.ts';
import {listIn, textIn} from './json.ts';
import type {ParsedRecord} from './parsed-record.ts';

/** Follows the todo list of an agent, in bounded memory. */
export type PlanReader = {
	readonly add: (parsed: ParsedRecord) => void;
	/**
	 * The newest list; undefined if the agent has written none, or has emptied it. The object stays the same
	 * until the list changes.
	 */
	readonly now: () => readonly PlanStep[] | undefined;
};

type Call = Extract<ParsedRecord, {type: 'tool'}>;
/** A step, with the tool's id of it if there is one. */
type KnownStep = PlanStep & {readonly id: string};

/** Maximum number of calls whose results are awaited. */
const maxOpenCalls = 64;
/** Maximum number of characters of the id of a step. */
const maxIdLength = 64;

/**
 * Reads the calls that write a todo list, each once its result shows that the tool accepted it. A list of a
 * subagent is not the agent's own.
 *
 * @param redact takes secrets out of a text before it is cut
 */
export const createPlanReader = (redact: Redactor): PlanReader => {
	const open = new Map<string, Change>();
	let steps: readonly KnownStep[] = [];
	let plan: readonly PlanStep[] | undefined;
	const replaceSteps = (next: readonly KnownStep[]): void => {
		steps = next.slice(0, maxSteps);
		plan = steps.length === 0 ? undefined : steps.map(({text, status}) => ({text, status}));
	};
	const addCall = ({name, input, call, isNested}: Call): void => {
		const read = isNested ? undefined : changesByTool.get(plainName(name));
		if (read === undefined || !isObject(input)) return;
		const change = read(input, redact);
		if (call === undefined) return replaceSteps(change(steps, ''));
		const [oldest] = open.keys();
		if (open.size >= maxOpenCalls && oldest !== undefined) open.delete(oldest);
		open.set(call, change);
	};
	return {
		add: parsed => {
			if (parsed.type === 'plan') replaceSteps(stepsIn(parsed.items, redact));
			if (parsed.type === 'tool') addCall(parsed);
			if ((parsed.type !== 'result' && parsed.type !== 'failure') || parsed.call === undefined) return;
			const change = open.get(parsed.call);
			open.delete(parsed.call);
			if (change !== undefined && parsed.type === 'result') replaceSteps(change(steps, parsed.text));
		},
		now: () => plan,
	};
};

/** What a call changes. Holds no more of the call than the steps. */
type Change = (steps: readonly KnownStep[], result: string) => readonly KnownStep[];
type ReadChange = (input: JsonObject, redact: Redactor) => Change;

/** Names of tools are compared without case and underscores. */
const plainName = (name: string): string => name.toLowerCase().replaceAll('_', '');

/** With `merge`, the steps that the call does not name stay. */
const writeAll: ReadChange = (input, redact) => {
	const written = stepsIn([...listIn(input, 'todos'), ...listIn(input, 'plan')], redact);
	if (input.merge !== true) return () => written;
	const named = new Map(written.map(step => [step.id, step]));
	return steps => {
		const ids = new Set(steps.map(({id}) => id));
		const kept = steps.map(step => {
			const {text = '', status = step.status} = named.get(step.id) ?? {};
			return {...step, status, text: text || step.text};
		});
		return [...kept, ...written.filter(({id}) => !ids.has(id))];
	};
};

const createOne: ReadChange = (input, redact) => {
	const created = stepsIn([input], redact);
	return (steps, result) => {
		const [, id = ''] = /^Task #(\S+) created/.exec(result) ?? [];
		return [...steps, ...created.map(step => ({...step, id: id.slice(0, maxIdLength)}))];
	};
};

const updateOne: ReadChange = (input, redact) => {
	const id = textIn(input, 'taskId').slice(0, maxIdLength);
	const isRemoved = removed.test(textIn(input, 'status'));
	const status = statusOf(input);
	const text = textOf({subject: input.subject}, redact);
	return steps =>
		steps.flatMap(step => {
			if (step.id !== id || id === '') return [step];
			return isRemoved ? [] : [{...step, text: text || step.text, status: status ?? step.status}];
		});
};

/** The tools that write todo lists, of all agent tools. */
const changesByTool: ReadonlyMap<string, ReadChange> = new Map([
	['todowrite', writeAll],
	['updateplan', writeAll],
	['updatetodos', writeAll],
	['writetodos', writeAll],
	['taskcreate', createOne],
	['taskupdate', updateOne],
]);

const removed = /cancell?ed|deleted/i;

/** A step that was given up is no longer part of the plan. */
const stepsIn = (items: readonly JsonObject[], redact: Redactor): readonly KnownStep[] =>
	items
		.filter(item => !removed.test(textIn(item, 'status')))
		.slice(0, maxSteps)
		.map(item => ({
			id: textIn(item, 'id').slice(0, maxIdLength),
			text: textOf(item, redact),
			status: statusOf(item) ?? 'open',
		}));

/** `TODO_STATUS_COMPLETED` and `completed: true` are completed too. */
const statusOf = (item: JsonObject): PlanStep['status'] | undefined => {
	if (item.completed === true) return 'done';
	const status = textIn(item, 'status');
	if (status === '') return undefined;
	if (/completed|done/i.test(status)) return 'done';
	return /in_progress|active/i.test(status) ? 'active' : 'open';
};

const textOf = (item: JsonObject, redact: Redactor): string => {
	const written = ['content', 'step', 'subject', 'text', 'description'].map(name =>
		textIn(item, name).trim(),
	);
	const line = sanitizeProse(redact(written.find(text => text !== '') ?? '').replaceAll(/\s+/g, ' '));
	return line.length <= maxStepLength
		? line
		: `${line.slice(0, maxStepLength - 1).replace(/[\ud800-\udbff]$/, '')}…`;
};
