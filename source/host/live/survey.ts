import {isDeepStrictEqual} from 'node:util';
import type {ActionContext} from '../../actions/context.ts';
import type {Detail} from '../../domain/errors.ts';
import type {Ledger} from '../../ledger/ledger.ts';
import {watchPending} from '../../reactor/pending.ts';
import {createWaiter} from '../../runs/waiter.ts';
import {pause} from '../pause.ts';
import {readHeld} from '../review/decisions.ts';
import type {Survey} from './live.ts';

type Surveying = {
	readonly context: ActionContext;
	/** As far as it is read. */
	readonly ledger: Ledger;
	readonly problems: () => readonly Detail[];
};

const readSurvey = async ({context, ledger, problems}: Surveying): Promise<Survey> => ({
	held: await readHeld(context, ledger),
	problems: problems(),
});

type Following = Surveying & {
	/** Calls when what a survey is made of has changed, until the signal. */
	readonly moved: (signal: AbortSignal, call: () => void) => void;
	readonly signal: AbortSignal;
	readonly call: (survey: Survey) => void;
};

/** Surveys of a busy colony are so many milliseconds apart at least. */
const restMilliseconds = 250;

/**
 * What there is at once, then again when it is another; one that cannot be read is read when something moves.
 */
export const followSurvey = async ({moved, signal, call, ...surveying}: Following): Promise<void> => {
	const {bus, clock} = surveying.context;
	const {wake, woken} = createWaiter(signal);
	moved(signal, wake);
	void watchPending(bus, signal, async () => wake()).catch(() => {});
	let known: Survey | undefined;
	while (!signal.aborted) {
		const survey = await readSurvey(surveying).catch(() => known);
		if (signal.aborted) return;
		if (survey !== undefined && !isDeepStrictEqual(survey, known)) call(survey);
		known = survey;
		await pause(clock, signal, restMilliseconds);
		await woken();
	}
};
