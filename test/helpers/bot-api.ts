import {onTestFinished} from 'vitest';
import {openBotApi} from './bot-platform.ts';

/** Starts a stand-in for the Bot API, and stops it when the test ends. */
export const startBotApi = async () => {
	const api = await openBotApi();
	onTestFinished(api.close);
	return api;
};
