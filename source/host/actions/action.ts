import * as z from 'zod/mini';
import type {ActionContext} from '../../actions/context.ts';
import {refuseInsideRun} from '../../actions/decide-and-append.ts';
import {describeIssues} from '../../domain/describe-issues.ts';
import {accepted, type Outcome, refuse} from '../../domain/errors.ts';
import type {RunRecord} from '../../domain/run.ts';
import type {Task} from '../../domain/task.ts';
import type {Trace} from '../../domain/trace.ts';
import {askElsewhere} from '../machines/machine-questions.ts';
import {nameElsewhere} from '../machines/machines.ts';
import type {RunActivities} from '../views/activity.ts';

/** How a field of an input is shown to people. A field without notes is for programs only. */
export type FieldNotes = {
	/** One sentence; for a boolean, its effect when it is on. */
	readonly summary: string;
	/** Placeholder of its value in usage: `<id>`. */
	readonly hint?: string;
	/** Kind of values that completion can offer. */
	readonly complete?: 'traces' | 'tasks' | 'runs' | 'bees' | 'cues' | 'sectors' | 'files' | 'folders';
	/**
	 * For a boolean that is on by default: the effect of turning it off, in one sentence. The summary then
	 * gives the effect when it is on.
	 */
	readonly turnedOff?: string;
};

/** The notes of every field, by its schema. */
export const fieldNotes = z.registry<FieldNotes>();

/** Declares a field of an action's input, with the text that people read about it. */
export const field = <Schema extends z.ZodMiniType>(schema: Schema, notes: FieldNotes): Schema => {
	fieldNotes.add(schema, notes);
	return schema;
};

/** True if people fill in every required field, so a face can ask for the input as it is. */
export const isAskable = ({input}: Pick<Action, 'input'>): boolean =>
	Object.values(input.shape).every(schema => fieldNotes.has(schema) || schema instanceof z.ZodMiniOptional);

/** The selection of a face when it offers an action. */
export type Subject = {
	readonly trace?: Trace;
	readonly task?: Task;
	readonly run?: RunRecord;
	/** Activities of the live runs, as far as the face knows them. */
	readonly activities?: RunActivities;
};

type Input = z.ZodMiniObject;

/** The result of an action, as data and in sentences. The first sentence sums it up. */
type Done<Value> = {readonly value: Value; readonly sentences: readonly string[]};

type Declared<Schema extends Input, Value> = {
	/** Words of its command, joined by dots. */
	readonly id: string;
	/** The command that does it, if the id is not a command. */
	readonly command?: string;
	/** Text of its button. A face may use a more specific one: `waitLabel` gives the name of an answer. */
	readonly label: string;
	/** Set if it takes something away. Faces mark its button. */
	readonly danger?: true;
	/** Set if a face without a dialog has to ask for confirmation. */
	readonly confirm?: true;
	/** Progress text while it runs, for example `Approving`. Its subject follows. */
	readonly progressLabel: string;
	/** One sentence. */
	readonly summary: string;
	/** What the summary leaves open. */
	readonly description?: string;
	/** Command lines, without `hive`. */
	readonly examples?: readonly string[];
	/** Shape of the value, for the usage. */
	readonly shape: string;
	readonly input: Schema;
	/** Set if the checkout that has the trace performs it, whichever checkout asks. */
	readonly anywhere?: true;
	/** Set if a reactor does the remaining work. The result then says whether one is alive. */
	readonly needsReactor?: true;
	/** Returns why it cannot be done to this subject now, as far as the snapshot shows; undefined if it can. */
	readonly blocked?: (subject: Subject) => string | undefined;
	/** Set if its command may leave the task out: the one task of the trace that fits is meant. */
	readonly fitsTask?: (subject: Subject) => boolean;
	readonly perform: (context: ActionContext, input: z.output<Schema>) => Promise<Outcome<Value>>;
	readonly done: (value: Value, input: z.output<Schema>) => readonly string[];
};

/** One human action: everything that a face needs to offer it, run it and report its result. */
export type Action<Schema extends Input = Input, Value = unknown> = Omit<
	Declared<Schema, Value>,
	'perform' | 'done'
> & {
	/**
	 * Runs the action, and loads its code first. Refuses inside a run, since agents are not people, and refuses
	 * input that does not match the schema.
	 */
	readonly run: (context: ActionContext, input: unknown) => Promise<Outcome<Done<Value>>>;
};

/** Declares a row of the action table. */
export const action = <Schema extends Input, Value extends object>({
	perform,
	done,
	...declared
}: Declared<Schema, Value>): Action<Schema, Value> => ({
	...declared,
	run: async (context, raw) => {
		const refused = refuseInsideRun(context);
		if (refused !== undefined) return refused;
		const read = z.safeParse(declared.input, raw, describeIssues);
		if (!read.success) return refuseInput(declared.id, read.error);
		const outcome = await perform(context, read.data);
		if (!outcome.ok && declared.anywhere)
			return askElsewhere(context, outcome, {ask: 'act', id: declared.id, input: raw, by: context.by});
		if (!outcome.ok) return nameElsewhere(context, outcome);
		const sentences = [...done(outcome.value, read.data)];
		if (declared.needsReactor) sentences.push(whoTakesIt(await isTaken(context, outcome.value)));
		return accepted({value: outcome.value, sentences});
	},
});

const refuseInput = (id: string, {issues}: z.core.$ZodError) =>
	refuse('usage', {
		message: `"${id.replaceAll('.', ' ')}" cannot be done as given.`,
		details: issues.map(({path, message}) => ({path: path.join('.'), message})),
	});

const isTaken = async ({reactorIsAlive}: ActionContext, value: object): Promise<boolean> =>
	'traceId' in value && typeof value.traceId === 'string' ? reactorIsAlive(value.traceId) : false;

/** The sentence on what happens after work was given to the reactor: which process does it, and when. */
export const whoTakesIt = (isReactorAlive: boolean): string =>
	isReactorAlive
		? 'A live reactor carries it out.'
		: 'No reactor is alive, so it waits until you start "hive" or "hive run".';
