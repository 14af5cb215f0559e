import * as z from 'zod/mini';
import type {ActionContext} from '../../actions/context.ts';
import {refuseInsideRun} from '../../actions/decide-and-append.ts';
import {accepted, type Outcome, refuse} from '../../domain/errors.ts';
import {issueWords} from '../../domain/issue-words.ts';
import type {RunRecord} from '../../domain/run.ts';
import type {Task} from '../../domain/task.ts';
import type {Trace} from '../../domain/trace.ts';
import {askElsewhere} from '../machines/place-questions.ts';
import {nameElsewhere} from '../machines/places.ts';
import type {Doings} from '../views/doing.ts';

/** How a field of an input is shown to people; one without notes is for programs only. */
export type FieldNotes = {
	/** One sentence; of a boolean, what it does when it is on. */
	readonly summary: string;
	/** How its value is written in usage: `<id>`. */
	readonly hint?: string;
	/** What can be offered as its value. */
	readonly complete?: 'traces' | 'tasks' | 'runs' | 'bees' | 'cues' | 'sectors' | 'files' | 'folders';
	/**
	 * Of a boolean that is on unless it is turned off: what turning it off does, in one sentence. The summary
	 * says what it does when it is on.
	 */
	readonly turnedOff?: string;
};

/** The notes of every field, by its schema. */
export const fieldNotes = z.registry<FieldNotes>();

/** A field of an action's input, with what people read about it. */
export const field = <Schema extends z.ZodMiniType>(schema: Schema, notes: FieldNotes): Schema => {
	fieldNotes.add(schema, notes);
	return schema;
};

/** Every field that has to be there is one that people fill in: a face can ask for it as it is. */
export const isAskable = ({input}: Pick<Action, 'input'>): boolean =>
	Object.values(input.shape).every(schema => fieldNotes.has(schema) || schema instanceof z.ZodMiniOptional);

/** What a face has selected when it offers an action. */
export type Subject = {
	readonly trace?: Trace;
	readonly task?: Task;
	readonly run?: RunRecord;
	/** What the live runs are at, as far as the face knows. */
	readonly doings?: Doings;
};

type Input = z.ZodMiniObject;

/** What an action did, as data and in sentences; the first says it all in short. */
type Done<Value> = {readonly value: Value; readonly sentences: readonly string[]};

type Declared<Schema extends Input, Value> = {
	/** Words of the command that does it, with dots between them. */
	readonly id: string;
	/** The command that does it, where its id is none. */
	readonly command?: string;
	/** What a button says. A face may say more: `waitLabel` has what an answer is called. */
	readonly label: string;
	/** Takes something away. Faces mark its button. */
	readonly danger?: true;
	/** A face without a dialog asks once more before it is done. */
	readonly confirm?: true;
	/** What is under way while it is done: `Approving`. Its subject follows. */
	readonly doing: string;
	/** One sentence. */
	readonly summary: string;
	/** What the summary leaves open. */
	readonly description?: string;
	/** Command lines, without `hive`. */
	readonly examples?: readonly string[];
	/** Shape of the value, for the usage. */
	readonly shape: string;
	readonly input: Schema;
	/** The checkout that has the trace does it, whoever asks. */
	readonly anywhere?: true;
	/** What it leaves to do is done by a reactor: it is said whether one is alive. */
	readonly needsReactor?: true;
	/** Why it cannot be done to this now, as far as the snapshot shows; nothing when it can. */
	readonly blocked?: (subject: Subject) => string | undefined;
	readonly perform: (context: ActionContext, input: z.output<Schema>) => Promise<Outcome<Value>>;
	readonly done: (value: Value, input: z.output<Schema>) => readonly string[];
};

/** One human action: everything that a face needs to offer it, to do it and to say what came of it. */
export type Action<Schema extends Input = Input, Value = unknown> = Omit<
	Declared<Schema, Value>,
	'perform' | 'done'
> & {
	/**
	 * Refuses inside a run, for agents are not people, and what the schema does not take. Loads what it needs.
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
		const read = z.safeParse(declared.input, raw);
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
		details: issues.map(issue => ({path: issue.path.join('.'), message: issueWords(issue)})),
	});

const isTaken = async ({reactorIsAlive}: ActionContext, value: object): Promise<boolean> =>
	'traceId' in value && typeof value.traceId === 'string' ? reactorIsAlive(value.traceId) : false;

/** The next step after something was given to the reactor to do: who does it, and when. */
export const whoTakesIt = (isReactorAlive: boolean): string =>
	isReactorAlive
		? 'A reactor is alive and takes it from here.'
		: 'No reactor is alive for it: it waits until "hive" or "hive run" is started.';
