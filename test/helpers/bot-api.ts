import {onTestFinished} from 'vitest';
import {openBotApi} from './bot-platform.ts';

/** A stand-in of the Bot API that is gone when its test ends. */
export const startBotApi = async () => {
	const api = await openBotApi();
	onTestFinished(api.close);
	return api;
};
