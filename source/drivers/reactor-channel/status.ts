import type {Detail} from '../../domain/errors.ts';
import type {ReactorAnswer, ReactorStatus} from '../../ports/reactor-channel.ts';
import {ask} from './ask.ts';

/** Max milliseconds for a status. A busy machine or a slow disk delays an answer for a while. */
const statusTimeoutMs = 3000;

export const statusRequest = {op: 'ping'} as const;

/** `status` of the channel, on a connection of its own. */
export const statusAt = async (
	socket: string,
	timeoutMs = statusTimeoutMs,
): Promise<ReactorStatus | undefined> => statusOf(await ask(socket, statusRequest, timeoutMs));

/** Returns undefined for a missing or unreadable answer. */
export const statusOf = (answer: ReactorAnswer | undefined): ReactorStatus | undefined => {
	const value: unknown = answer?.ok ? answer.value : undefined;
	const {pid, startedAt, idle, bus, only, problems}: Record<string, unknown> = {...Object(value)};
	if (typeof pid !== 'number' || typeof startedAt !== 'string') return undefined;
	return {
		...{pid, startedAt, idle: idle === true, problems: readProblems(problems)},
		bus: typeof bus === 'string' ? bus : 'embedded',
		...(typeof only === 'string' ? {only} : {}),
	};
};

/** Checks the problems: any content may arrive on the socket. */
const readProblems = (raw: unknown): readonly Detail[] =>
	(Array.isArray(raw) ? raw : []).flatMap((item: unknown) => {
		const {path, message, hint}: Record<string, unknown> = {...Object(item)};
		if (typeof path !== 'string' || typeof message !== 'string') return [];
		return [{path, message, ...(typeof hint === 'string' ? {hint} : {})}];
	});
