import {doingWords, isQuiet, type RunDoing} from '../../host/views/doing.ts';
import type {CellText} from './row-line.ts';
import {goingOn} from './words.ts';

/** One turns with every second that is drawn; it stands still while the run is quiet. */
const turns = ['⠋', '⠙', '⠸', '⠴', '⠦', '⠇'];

/**
 * What a run is at and how long ago it said so, beside it what it used so far, in those words: `⠸ 0:12 Edit
 * src/a.ts · $0.04`.
 */
export const doingCell = (doing: RunDoing, used: string, now: number): CellText => {
	const {spokeAt} = doing;
	const turn = turns[isQuiet(spokeAt, now) ? 0 : Math.floor(now / 1000) % turns.length];
	const at = `${turn} ${goingOn(spokeAt, spokeAt, now)} ${doingWords(doing)}`.trimEnd();
	return [at, 'dim', [used, 'dim']];
};
