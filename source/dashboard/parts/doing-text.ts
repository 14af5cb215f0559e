import {doingWords, type RunDoing} from '../../host/views/doing.ts';
import {duration} from './words.ts';

/** One turns with every second that is drawn. */
const turns = ['⠋', '⠙', '⠸', '⠴', '⠦', '⠇'];

/** What a run is at, and how long ago it said so: `⠸ 0:12 Edit src/a.ts`. */
export const doingText = (doing: RunDoing, now: number): string => {
	const turn = turns[Math.floor(now / 1000) % turns.length];
	return `${turn} ${duration(now - doing.spokeAt)} ${doingWords(doing)}`.trimEnd();
};
