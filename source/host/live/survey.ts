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
	/** The ledger as far as it has been read. */
	readonly ledger: Ledger;
	readonly problems: () => readonly Detail[];
};

const readSurvey = async ({context, ledger, problems}: Surveying): Promise<Survey> => ({
	held: await readHeld(context, ledger),
	problems: problems(),
});

type Following = Surveying & {
	/** Calls when the inputs of a survey have changed, until the signal is aborted. */
	readonly moved: (signal: AbortSignal, call: () => void) => void;
	readonly signal: AbortSignal;
	readonly call: (survey: Survey) => void;
};

/** Minimum interval between surveys of a busy colony, in milliseconds. */
const restMilliseconds = 250;

/**
 * Calls with the present survey, then after each change. A survey that could not be read is read again at the
 * next change of its inputs.
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
