import * as z from 'zod/mini';
import {type ActionContext, actors} from '../../actions/context.ts';
import {errorTable} from '../../domain/error-table.ts';
import {accepted, type Outcome, refuse} from '../../domain/errors.ts';
import {checkoutInRefusal} from '../../domain/machine-status.ts';
import {lineQuestion} from '../blame/line-question.ts';
import {nameElsewhere} from './machines.ts';

/** A request of one checkout to another that has the trace (docs/architecture.md §8). */
export const machineQuestion = z.discriminatedUnion('ask', [
	z.object({
		ask: z.literal('act'),
		/** Id in the action table. */
		id: z.string(),
		input: z.unknown(),
		by: z.enum(actors),
	}),
	z.object({ask: z.literal('preview'), traceId: z.string()}),
	z.extend(lineQuestion, {ask: z.literal('line'), traceId: z.string(), taskId: z.optional(z.string())}),
	z.object({
		ask: z.literal('log'),
		agentId: z.string(),
		stream: z.enum(['stdout', 'stderr']),
		/** Number of bytes that the asker already has. */
		after: z.int().check(z.nonnegative()),
		/** If true, the answer waits until there is more or the log is complete. If false, it comes at once. */
		waits: z.boolean(),
	}),
]);

export type MachineQuestion = z.output<typeof machineQuestion>;

/**
 * When something is refused because its trace is at another checkout, asks there and returns that checkout's
 * answer. If no reactor is there, refuses with the checkout's name, and nothing is done.
 */
export const askElsewhere = async <Value>(
	context: Pick<ActionContext, 'bus' | 'machines'>,
	refused: Outcome<unknown>,
	question: MachineQuestion,
): Promise<Outcome<Value>> => {
	const machine = refused.ok ? undefined : checkoutInRefusal(refused.refusal);
	const answered = machine === undefined ? undefined : await context.bus.machines?.ask(machine, question);
	return answered === undefined
		? nameElsewhere(context, refused as Outcome<Value>, true)
		: readOutcome<Value>(answered.answer);
};

const outcomeShape = z.discriminatedUnion('ok', [
	z.object({ok: z.literal(true), value: z.unknown()}),
	z.object({
		ok: z.literal(false),
		refusal: z.object({
			code: z.string(),
			message: z.string(),
			hint: z.string(),
			details: z.array(z.object({path: z.string(), message: z.string()})),
		}),
	}),
]);

/** A refusal of another version may have a code that is unknown here. */
const readOutcome = <Value>(answer: unknown): Outcome<Value> => {
	const read = z.safeParse(outcomeShape, answer);
	if (!read.success)
		return refuse('internal', {
			message: 'This version of hive does not understand the answer of the other machine.',
			hint: 'Use the same version of hive on both machines.',
		});
	if (read.data.ok) return accepted(read.data.value as Value);
	const {code, ...said} = read.data.refusal;
	return refuse(Object.hasOwn(errorTable, code) ? (code as keyof typeof errorTable) : 'internal', said);
};
