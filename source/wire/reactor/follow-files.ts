import {errorMessage} from '../../domain/error-message.ts';
import type {OpenColony} from '../opened-colony.ts';

type Following = {
	readonly signal: AbortSignal;
	readonly report: (message: string) => void;
	/** Called when the configuration has changed. */
	readonly changed: () => void;
};

/** The configuration of a reactor, which follows its files. */
export type FollowedFiles = Awaited<ReturnType<OpenColony['configuration']['follow']>> & {
	/** Rejects when another bus is named: all later work belongs to another log. */
	readonly left: Promise<never>;
};

/** Follows the configuration until the signal aborts. Throws as `expectSameBus` and `expectUsable` do. */
export const followFiles = async (
	{configuration, expectSameBus, changeLogin, expectUsable}: OpenColony,
	{signal, report, changed}: Following,
): Promise<FollowedFiles> => {
	let leave = (_error: unknown): void => {};
	const left = new Promise<never>((_, reject) => {
		leave = reject;
	});
	// It may reject before there is a reactor to close.
	left.catch(() => {});
	const reportLogin = async (): Promise<void> => {
		try {
			if (await changeLogin()) report('The login to the bus has changed: this reactor has connected again.');
		} catch (error) {
			report(`${errorMessage(error)} This reactor keeps its connection for now.`);
		}
	};
	const followed = await configuration.follow({
		signal,
		changed: sentences => {
			for (const sentence of sentences) report(sentence);
			try {
				expectSameBus();
				void reportLogin();
				changed();
			} catch (error) {
				leave(error);
			}
		},
	});
	expectSameBus();
	expectUsable();
	return {...followed, left};
};
