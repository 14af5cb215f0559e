import type {Detail} from '../domain/errors.ts';
import {callReactor} from '../drivers/sqlite-bus/call-reactor.ts';
import type {ReactorStatus} from '../host/host.ts';

/** A machine with too much to do, or a disk that is slow to keep, holds an answer up for a while. */
const pingMilliseconds = 3000;

/** What the reactor at this socket says of itself; nothing when none is alive. */
export const askReactor = async (socket: string): Promise<ReactorStatus | undefined> => {
	const answer = await callReactor(socket, {op: 'ping'}, pingMilliseconds);
	if (typeof answer !== 'object' || answer === null || !('value' in answer)) return undefined;
	const {pid, startedAt, idle, only, problems}: Record<string, unknown> = {...Object(answer.value)};
	if (typeof pid !== 'number' || typeof startedAt !== 'string') return undefined;
	return {
		...{pid, startedAt, idle: idle === true, problems: readProblems(problems)},
		...(typeof only === 'string' ? {only} : {}),
	};
};

/** What came over the socket is anybody's until it is checked. */
const readProblems = (raw: unknown): readonly Detail[] =>
	(Array.isArray(raw) ? raw : []).flatMap((item: unknown) => {
		const {path, message, hint}: Record<string, unknown> = {...Object(item)};
		if (typeof path !== 'string' || typeof message !== 'string') return [];
		return [{path, message, ...(typeof hint === 'string' ? {hint} : {})}];
	});
