import {type Used, usedOf} from '../domain/run.ts';
import {oneLine, targetOf} from './readable-lines.ts';
import type {Said, StreamReader} from './said.ts';
import {createStream} from './stream.ts';
import {createUsageSum} from './usage-sum.ts';

/** An agent's current step, as far as its output shows. */
type Doing = {
	/** The last tool call, until the agent writes a message. */
	readonly tool?: string;
	/** The argument of that call, else the last message, as one line. Empty before the first output. */
	readonly about: string;
	/** Usage of all model calls so far. Absent until the tool reports it. */
	readonly used?: Used;
};

/** Follows an output stream in bounded memory. */
export type DoingReader = {
	/** A part may end anywhere, even within a character. */
	readonly push: (part: Uint8Array) => void;
	readonly now: () => Doing;
};

/** Max characters kept of a message that comes in pieces; its last line is shown. */
const longestParts = 4096;

/**
 * @param read absent if the output is plain text
 * @param workspace paths below it are shown relative to it; empty if unknown
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
