import {type Api, GrammyError, HttpError} from 'grammy/web';
import {errorMessage} from '../../domain/error-message.ts';
import {pause} from '../../host/pause.ts';
import type {Context} from '../context.ts';

/** The error code of a failed call. Undefined if the platform was not reached. */
export const codeOf = (error: unknown): number | undefined =>
	error instanceof GrammyError ? error.error_code : undefined;

export const isBadRequest = (error: unknown, pattern: RegExp): boolean =>
	error instanceof GrammyError && error.error_code === 400 && pattern.test(error.description);

/** Seconds until the call may be retried. */
export const retryAfter = (error: unknown): number | undefined =>
	error instanceof GrammyError && error.error_code === 429 ? (error.parameters.retry_after ?? 1) : undefined;

/** Describes an error in a sentence, without the token. */
export const formatCallError = (error: unknown): string => {
	if (error instanceof GrammyError) {
		const what = errorMessages[error.error_code] ?? `The platform answers ${error.error_code}`;
		return `${what}: ${error.description}`;
	}
	// The error's own message holds the address, which contains the token.
	if (error instanceof HttpError) return 'The platform cannot be reached.';
	return errorMessage(error);
};

const errorMessages: Readonly<Record<number, string>> = {
	401: 'The platform does not accept the bot token',
	403: 'The chat accepts no messages from this bot',
	404: 'The platform does not accept the bot token',
	409: 'Another program reads the messages of this bot',
	429: 'The platform limits the rate of requests',
};

export type Calls = Pick<Api, 'sendMessage' | 'editMessageText' | 'sendDocument'>;

const maxAttempts = 5;

/** Calls, and retries after the time that the platform asks for. No retry after the signal. */
export const withRetries = async <Value>(
	{clock, signal}: {readonly clock: Context['clock']; readonly signal: AbortSignal},
	call: () => Promise<Value>,
): Promise<Value> => {
	for (let attempt = 1; ; attempt++) {
		try {
			return await call();
		} catch (error) {
			const seconds = retryAfter(error);
			if (seconds === undefined || attempt === maxAttempts || signal.aborted) throw error;
			await pause(clock, signal, seconds * 1000);
		}
	}
};
