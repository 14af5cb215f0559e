import {doingWords, isQuiet, type RunDoing} from '../../host/views/doing.ts';
import type {CellText} from './row-line.ts';
import {goingOn} from './words.ts';

/** A spinner that advances each drawn second, and stops while the run is quiet. */
const turns = ['⠋', '⠙', '⠸', '⠴', '⠦', '⠇'];

/**
 * A run's current step with the time since its last output, and its usage so far: `⠸ 0:12 Edit src/a.ts ·
 * $0.04`.
 */
export const doingCell = (doing: RunDoing, used: string, now: number): CellText => {
	const {spokeAt} = doing;
	const turn = turns[isQuiet(spokeAt, now) ? 0 : Math.floor(now / 1000) % turns.length];
	const at = `${turn} ${goingOn(spokeAt, spokeAt, now)} ${doingWords(doing)}`.trimEnd();
	return [at, 'dim', [used, 'dim']];
};
