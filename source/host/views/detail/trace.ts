import {reserveOf} from '../../../domain/reserve.ts';
import {statusWords} from '../../../domain/status-words.ts';
import {type Trace, titleOf} from '../../../domain/trace.ts';
import {formatHoney, formatSpending} from '../format-reserve.ts';
import {localMoment} from '../local-time.ts';
import {traceView} from '../trace.ts';
import {type DetailFacts, type DetailLine, fact, headed, textLines} from './section.ts';

/** Lines on what the trace is, its state, and its usage. */
export const traceLines = (
	trace: Trace,
	{
		facts,
		sharing = [],
		now,
	}: {
		readonly facts: DetailFacts | undefined;
		readonly sharing: readonly string[] | undefined;
		readonly now: number;
	},
): readonly DetailLine[] => {
	const {state, note, work} = traceView(trace);
	const {energyBudget} = trace;
	const reserve = reserveOf(trace, {energyBudget: energyBudget ?? trace.energyRemaining});
	return [
		...fact('Title', titleOf(trace), 'strong'),
		...fact('State', statusWords(state)),
		...fact('Why', note, 'bad'),
		...(facts?.waits ?? []).flatMap(({what, next}) => [
			...fact('Waits for', what, 'accent'),
			...(next === undefined ? [] : [{name: '', text: `Next: ${next}`, tone: 'dim'} as const]),
		]),
		...fact('Tasks', `${work.done} of ${work.total} done`),
		...fact('Honey', energyBudget === undefined ? '' : formatHoney(reserve)),
		...formatSpending(reserve).flatMap(text => fact('Spent', text)),
		...fact('Base', trace.base?.branch ?? ''),
		...fact('Issue', trace.issue === undefined ? '' : `#${trace.issue.number}: ${trace.issue.url}`),
		...fact('Checkout', trace.place ?? ''),
		...fact('Began', localMoment(trace.createdAt, now)),
		...fact('Updated', localMoment(trace.updatedAt, now)),
		...sharing.flatMap(text => fact('Shares lines', `with ${text}`, 'accent')),
		...fact('Id', trace.traceId, 'dim'),
		...headed('Summary', textLines(trace.summary)),
		...headed(
			'Events that say nothing',
			trace.problems.map(({sequence, message}) => ({name: `event ${sequence}`, text: message, tone: 'dim'})),
		),
	];
};
