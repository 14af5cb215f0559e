import {type Used, usedOf} from '../domain/run.ts';
import {oneLine, targetOf} from './readable-lines.ts';
import type {Said, StreamReader} from './said.ts';
import {createStream} from './stream.ts';
import {createUsageSum} from './usage-sum.ts';

/** What an agent is at, as far as its output says. */
type Doing = {
	/** The tool that it called last, while it has said nothing since. */
	readonly tool?: string;
	/** What that is about, else its last words: one line, empty until it says something. */
	readonly about: string;
	/** By all calls of models so far; absent until the tool says so. */
	readonly used?: Used;
};

/** Follows an output as it comes, in bounded memory. */
export type DoingReader = {
	/** Any part may end anywhere, in a character too. */
	readonly push: (part: Uint8Array) => void;
	readonly now: () => Doing;
};

/** Of words in parts as much is kept, in characters: their last line is shown. */
const longestParts = 4096;

/**
 * @param read absent where every line is plain
 * @param workspace paths below it are told without it; empty where it is not known
 * @param redact takes secrets out of a text before it is cut
 */
export const createDoing = (
	read: StreamReader | undefined,
	{workspace, redact}: {readonly workspace: string; readonly redact: (text: string) => string},
): DoingReader => {
	const stream = createStream(read, redact);
	const usage = createUsageSum();
	let at: Pick<Doing, 'tool' | 'about'> = {about: ''};
	let parts = '';

	const say = (text: string): void => {
		const about = oneLine(redact(lastLine(text)));
		if (about !== '') at = {about};
	};
	const hear = (said: Said): void => {
		if (said.says !== 'piece') parts = '';
		switch (said.says) {
			case 'usage':
				return usage.add(said);
			case 'tool':
				at = {tool: oneLine(redact(said.name)), about: oneLine(redact(targetOf(said.input, workspace)))};
				return;
			case 'piece':
				parts = redact(parts + said.text).slice(-longestParts);
				return say(parts);
			case 'line':
			case 'words':
			case 'warning':
				return say(said.text);
			case 'retry':
				return say(`retry: ${said.retry.reason}`);
			case 'end':
				return say(said.error ?? said.words ?? '');
			default:
		}
	};
	return {
		push: part => {
			for (const {said} of stream.push(part)) hear(said);
		},
		now: () => {
			const total = usage.total();
			return total === undefined ? at : {...at, used: usedOf({...total, source: ''})};
		},
	};
};

const lastLine = (text: string): string =>
	text
		.trimEnd()
		.split(/\r\n|\r|\n/)
		.at(-1) ?? '';
