import * as z from 'zod/mini';
import type {ActionContext} from '../../actions/context.ts';
import {errorTable} from '../../domain/error-table.ts';
import {accepted, type Outcome, refuse} from '../../domain/errors.ts';
import {placeOf} from '../../domain/place.ts';
import {nameElsewhere} from './places.ts';

/** What one place asks another that has the trace (docs/architecture.md §8). */
export const placeQuestion = z.discriminatedUnion('ask', [
	z.object({
		ask: z.literal('act'),
		/** Of the action table. */
		id: z.string(),
		input: z.unknown(),
		by: z.enum(['human', 'cli', 'console', 'chat']),
	}),
	z.object({ask: z.literal('preview'), traceId: z.string()}),
	z.object({
		ask: z.literal('log'),
		agentId: z.string(),
		stream: z.enum(['stdout', 'stderr']),
		/** Bytes that the asker has. */
		after: z.int().check(z.nonnegative()),
		/** Answered when there is more, or nothing more will come; at once without. */
		waits: z.boolean(),
	}),
]);

export type PlaceQuestion = z.output<typeof placeQuestion>;

/**
 * Asks the place that has what was refused here because it is elsewhere, and answers as that does. Refused
 * with the place's name, and nothing is done, while nobody is there.
 */
export const askElsewhere = async <Value>(
	context: Pick<ActionContext, 'bus' | 'places'>,
	refused: Outcome<unknown>,
	question: PlaceQuestion,
): Promise<Outcome<Value>> => {
	const place = refused.ok ? undefined : placeOf(refused.refusal);
	const answered = place === undefined ? undefined : await context.bus.places?.ask(place, question);
	return answered === undefined
		? nameElsewhere(context, refused as Outcome<Value>)
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

/** Another version's refusal may have a code that nobody knows here. */
const readOutcome = <Value>(answer: unknown): Outcome<Value> => {
	const read = z.safeParse(outcomeShape, answer);
	if (!read.success)
		return refuse('internal', {
			message: 'The place that was asked gave an answer that this hive does not know.',
		});
	if (read.data.ok) return accepted(read.data.value as Value);
	const {code, ...said} = read.data.refusal;
	return refuse(Object.hasOwn(errorTable, code) ? (code as keyof typeof errorTable) : 'internal', said);
};
