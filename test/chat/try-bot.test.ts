import {expect, it} from 'vitest';
import {tryBot} from '../../source/chat/telegram/try-bot.ts';
import {startBotApi} from '../helpers/bot-api.ts';
import type {ApiFault} from '../helpers/bot-platform.ts';

const token = '1:secret-token';

it.each<[string, ApiFault | undefined, object]>([
	['is well', undefined, {state: 'well'}],
	[
		'has another token',
		{method: 'getMe', answer: {status: 401, description: `Unauthorized: ${token}`}},
		{state: 'refused'},
	],
	[
		'has no token at all',
		{method: 'getMe', answer: {status: 404, description: 'Not Found'}},
		{state: 'refused'},
	],
	[
		'is heard by a webhook',
		{method: 'getWebhookInfo', result: {url: 'https://a.example', pending_update_count: 1}},
		{state: 'webhook'},
	],
	[
		'is of a platform that fails',
		{method: 'getMe', answer: {status: 502, description: 'Bad Gateway'}},
		{state: 'away', status: 502},
	],
	['is of a platform that is cut off', {method: 'getMe', lost: 'before'}, {state: 'away'}],
	['is of a platform that says nothing', {method: 'getMe', hangs: true}, {state: 'away'}],
	['is of something else', {method: 'getWebhookInfo', result: null}, {state: 'away'}],
])('the check of a bot reports that it %s and polls no updates', async (_, fault, expected) => {
	const api = await startBotApi();
	if (fault !== undefined) api.faults.push(fault);
	expect(await tryBot({apiRoot: api.url, token}, 0.5)).toEqual(expected);
	expect(api.calls).not.toContain('getUpdates');
});

it('the check of a bot reports an unreachable address as away', async () => {
	expect(await tryBot({apiRoot: 'http://127.0.0.1:1', token}, 0.5)).toEqual({state: 'away'});
	expect(await tryBot({apiRoot: 'http://[', token}, 0.5)).toEqual({state: 'away'});
});
