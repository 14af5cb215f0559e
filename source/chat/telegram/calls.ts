import {type Api, GrammyError, HttpError} from 'grammy/web';
import {errorMessage} from '../../domain/error-message.ts';
import {pause} from '../../host/pause.ts';
import type {Context} from '../context.ts';

/** What went wrong with a call: what the platform said, or nothing when it was not reached. */
export const codeOf = (error: unknown): number | undefined =>
	error instanceof GrammyError ? error.error_code : undefined;

export const saysThat = (error: unknown, words: RegExp): boolean =>
	error instanceof GrammyError && error.error_code === 400 && words.test(error.description);

/** Seconds after which it may be asked again. */
export const retryAfter = (error: unknown): number | undefined =>
	error instanceof GrammyError && error.error_code === 429 ? (error.parameters.retry_after ?? 1) : undefined;

/** In a sentence, without the token. */
export const faultWords = (error: unknown): string => {
	if (error instanceof GrammyError) {
		const what = faults[error.error_code] ?? `The platform answers ${error.error_code}`;
		return `${what}: ${error.description}`;
	}
	// What it carries has the address, and the token in it.
	if (error instanceof HttpError) return 'The platform cannot be reached.';
	return errorMessage(error);
};

const faults: Readonly<Record<number, string>> = {
	401: 'The bot token is not taken',
	403: 'The chat takes nothing from this bot',
	404: 'The bot token is not taken',
	409: 'Somebody else asks for the messages of this bot',
	429: 'The platform wants to be asked less often',
};

export type Calls = Pick<Api, 'sendMessage' | 'editMessageText' | 'sendDocument'>;

const mostAttempts = 5;

/** Calls, and waits where the platform says for how long; not beyond the signal. */
export const patiently = async <Value>(
	{clock, signal}: {readonly clock: Context['clock']; readonly signal: AbortSignal},
	call: () => Promise<Value>,
): Promise<Value> => {
	for (let attempt = 1; ; attempt++) {
		try {
			return await call();
		} catch (error) {
			const seconds = retryAfter(error);
			if (seconds === undefined || attempt === mostAttempts || signal.aborted) throw error;
			await pause(clock, signal, seconds * 1000);
		}
	}
};
