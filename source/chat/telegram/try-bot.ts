import {Api} from 'grammy/web';
import type {TryBot} from '../../host/host.ts';
import {codeOf} from './calls.ts';

/** Timeout for the platform's answer, in seconds. */
const timeoutSeconds = 5;

/**
 * Checks the token without polling for messages, since that would take them from the running gateway. The
 * platform's answer is never shown, because it may contain the token.
 */
export const tryBot: TryBot = async ({apiRoot, token}, timeout = timeoutSeconds) => {
	const api = new Api(token, {apiRoot, timeoutSeconds: timeout});
	try {
		const [, {url}] = await Promise.all([api.getMe(), api.getWebhookInfo()]);
		return {state: url === '' ? 'well' : 'webhook'};
	} catch (error) {
		const status = codeOf(error);
		if (status === 401 || status === 404) return {state: 'refused'};
		return {state: 'away', ...(status !== undefined && {status})};
	}
};
