import {doingWords, type RunDoing, usedWords} from '../../host/views/doing.ts';
import {duration} from './words.ts';

/** One turns with every second that is drawn. */
const turns = ['⠋', '⠙', '⠸', '⠴', '⠦', '⠇'];

/** What a run is at, how long ago it said so, and what it used so far: `⠸ 0:12 Edit src/a.ts · 12.3K tokens · $0.04`. */
export const doingText = (doing: RunDoing, now: number): string => {
	const turn = turns[Math.floor(now / 1000) % turns.length];
	const words = [doingWords(doing), usedWords(doing.used)].filter(Boolean).join(' · ');
	return `${turn} ${duration(now - doing.spokeAt)} ${words}`;
};
