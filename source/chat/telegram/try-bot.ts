import {Api} from 'grammy/web';
import type {TryBot} from '../../host/host.ts';
import {codeOf} from './calls.ts';

/** Seconds that the platform has to answer. */
const patience = 5;

/**
 * Asks for no messages, which would take them from whoever does. What is answered goes into no words: it may
 * have the token in it.
 */
export const tryBot: TryBot = async ({apiRoot, token}, seconds = patience) => {
	const api = new Api(token, {apiRoot, timeoutSeconds: seconds});
	try {
		const [, {url}] = await Promise.all([api.getMe(), api.getWebhookInfo()]);
		return {state: url === '' ? 'well' : 'webhook'};
	} catch (error) {
		const status = codeOf(error);
		if (status === 401 || status === 404) return {state: 'refused'};
		return {state: 'away', ...(status !== undefined && {status})};
	}
};
