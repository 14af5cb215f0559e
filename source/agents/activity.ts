import {type Used, usedOf} from '../domain/run.ts';
import type {PlanStep} from '../domain/run-progress.ts';
import type {ParsedRecord, StreamReader} from './parsed-record.ts';
import {createPlanReader} from './plan.ts';
import {oneLine, targetOf} from './readable-lines.ts';
import {createStream} from './stream.ts';
import {createUsageSum} from './usage-sum.ts';

/** An agent's current step, as far as its output shows. */
type Activity = {
	/** The last tool call, until the agent writes a message. */
	readonly tool?: string;
	/** The argument of that call, else the last message, as one line. Empty before the first output. */
	readonly about: string;
	/** Usage of all model calls so far. Absent until the tool reports it. */
	readonly used?: Used;
	/** Its newest todo list. Absent until it has written one. */
	readonly plan?: readonly PlanStep[];
};

/** Follows an output stream in bounded memory. */
export type ActivityReader = {
	/** A part may end anywhere, even within a character. */
	readonly push: (part: Uint8Array) => void;
	readonly now: () => Activity;
};

/** Max characters kept of a message that comes in pieces; its last line is shown. */
const maxMessageLength = 4096;

/**
 * @param read absent if the output is plain text
 * @param workspace paths below it are shown relative to it; empty if unknown
 * @param redact takes secrets out of a text before it is cut
 */
export const createActivityReader = (
	read: StreamReader | undefined,
	{workspace, redact}: {readonly workspace: string; readonly redact: (text: string) => string},
): ActivityReader => {
	const stream = createStream(read, redact);
	const usage = createUsageSum();
	const plan = createPlanReader(redact);
	let at: Pick<Activity, 'tool' | 'about'> = {about: ''};
	let parts = '';

	const setCurrentText = (text: string): void => {
		const about = oneLine(redact(lastLine(text)));
		if (about !== '') at = {about};
	};
	const handleRecord = (parsed: ParsedRecord): void => {
		if (parsed.type !== 'piece') parts = '';
		switch (parsed.type) {
			case 'usage':
				return usage.add(parsed);
			case 'tool':
				at = {tool: oneLine(redact(parsed.name)), about: oneLine(redact(targetOf(parsed.input, workspace)))};
				return;
			case 'piece':
				parts = redact(parts + parsed.text).slice(-maxMessageLength);
				return setCurrentText(parts);
			case 'line':
			case 'words':
			case 'warning':
				return setCurrentText(parsed.text);
			case 'retry':
				return setCurrentText(`retry: ${parsed.retry.reason}`);
			case 'end':
				return setCurrentText(parsed.error ?? parsed.message ?? '');
			default:
		}
	};
	return {
		push: part => {
			for (const {parsed} of stream.push(part)) {
				handleRecord(parsed);
				plan.add(parsed);
			}
		},
		now: () => {
			const total = usage.total();
			const steps = plan.now();
			return {
				...at,
				...(total && {used: usedOf({...total, source: ''})}),
				...(steps && {plan: steps}),
			};
		},
	};
};

const lastLine = (text: string): string =>
	text
		.trimEnd()
		.split(/\r\n|\r|\n/)
		.at(-1) ?? '';
