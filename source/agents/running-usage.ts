import type {Usage} from '../domain/run.ts';
import type {ParsedRecord, StreamReader} from './parsed-record.ts';
import {createStream} from './stream.ts';
import {createUsageSum} from './usage-sum.ts';

/** Sums up the usage of an agent that is still at work, in bounded memory. */
export type RunningUsage = {
	/**
	 * Takes a further part of its output. Returns its usage so far if another model call follows for certain,
	 * since it has called a tool. Else `undefined`: the message may have been its last.
	 */
	readonly push: (part: Uint8Array) => Omit<Usage, 'source'> | undefined;
};

/** Records that show whether the agent goes on. After a tool call it does, after its words it may be done. */
const goesOn: Partial<Readonly<Record<ParsedRecord['type'], boolean>>> = {
	tool: true,
	result: true,
	failure: true,
	words: false,
	piece: false,
	end: false,
};

export const createRunningUsage = (read: StreamReader): RunningUsage => {
	const stream = createStream(read);
	const usage = createUsageSum();
	let model: string | undefined;
	let isGoingOn = false;
	return {
		push: part => {
			for (const {parsed} of stream.push(part)) {
				isGoingOn = goesOn[parsed.type] ?? isGoingOn;
				if (parsed.type === 'usage') usage.add(parsed);
				if (parsed.type === 'session') model = parsed.model ?? model;
			}
			const total = isGoingOn ? usage.total() : undefined;
			return total && {...total, ...(model !== undefined && {model})};
		},
	};
};
