import {setMaxListeners} from 'node:events';
import {onTestFinished} from 'vitest';
import {createApp} from '../../source/console/app.ts';
import type {Caller} from '../../source/console/caller.ts';
import {proofHeader} from '../../source/console/guard.ts';
import {openKeyFile} from '../../source/console/key-file.ts';
import {followModel} from '../../source/console/model.ts';
import type {ConsoleParts} from '../../source/console/parts.ts';
import {accepted, expectAccepted} from '../../source/domain/errors.ts';
import {openLiveColony} from '../../source/host/live/live-colony.ts';
import {openHost} from '../../source/wire/open-host.ts';
import type {ColonyOnDisk} from '../helpers/colony-on-disk.ts';
import {noFaults} from '../host/host-with.ts';

export const page = {
	'/': {type: 'text/html; charset=utf-8', text: '<!doctype html><title>hive</title>'},
	'/app.js': {type: 'text/javascript; charset=utf-8', text: 'export {};'},
};

export const home = 'http://127.0.0.1:8787';

export type Sent = {
	/** Which token to send; none if absent. */
	readonly as?: 'act' | 'read';
	readonly method?: string;
	readonly json?: unknown;
	readonly headers?: Readonly<Record<string, string>>;
	readonly body?: string;
};

/** Opens the console of a colony without a socket. */
export const openRig = async (
	colony: Pick<ColonyOnDisk, 'root' | 'env'>,
	given: Partial<ConsoleParts> = {},
) => {
	const host = openHost({cwd: colony.root, env: colony.env, faults: noFaults});
	const over = new AbortController();
	setMaxListeners(0, over.signal);
	onTestFinished(async () => {
		over.abort();
		await host.close();
	});
	const context = await host.open();
	const keyFile = expectAccepted(await openKeyFile(host));
	await keyFile.devices.follow(over.signal);
	const live = await openLiveColony(host, {logTaken: () => {}});
	const model = followModel(live, {position: await context.bus.last(), reactor: 'none'}, over.signal);
	const {tokens} = expectAccepted(await keyFile.keys());
	const parts: ConsoleParts = {
		world: {host, context, colony: live, model, devices: keyFile.devices, highlight: async () => undefined},
		keyFile,
		runtime: {start: async () => accepted({}), stop: async () => accepted({})},
		names: {isLoopback: true, origins: []},
		cookieName: 'hive-test',
		page,
		version: '0.0.0',
		streamsEnd: () => over.signal,
		...given,
	};
	const app = createApp(parts);
	const send = senderTo(app, tokens);
	/** Returns the JSON answer to a request, and expects that status. */
	const ask = async (path: string, sent: Sent = {}, status = 200) => {
		const answer = await send(path, {as: 'act', ...sent});
		const text = await answer.text();
		if (answer.status !== status) throw new Error(`${path} answered ${answer.status}: ${text}`);
		return JSON.parse(text);
	};
	/** Returns the headers of a browser that was admitted. */
	const browserOf = async ({scope, label}: Caller) => {
		const keys = expectAccepted(await keyFile.keys());
		const device = await keyFile.devices.add({name: label, scope, agent: 'Firefox', by: 'link'});
		const cookie = keys.seal(device);
		return {cookie: `${parts.cookieName}=${cookie}`, [proofHeader]: keys.proofOf(cookie)};
	};
	return {browserOf, host, parts, app, send, ask, keyFile, tokens, live, model, context, over};
};

/** Sends requests as a local program that has the tokens. */
export const senderTo =
	(app: Pick<ReturnType<typeof createApp>, 'fetch'>, tokens: Readonly<Record<'act' | 'read', string>>) =>
	async (path: string, {as, json, headers = {}, ...rest}: Sent = {}): Promise<Response> =>
		app.fetch(
			new Request(new URL(path, home), {
				method: json === undefined ? 'GET' : 'POST',
				...rest,
				...(json === undefined ? {} : {body: JSON.stringify(json)}),
				headers: {
					host: '127.0.0.1:8787',
					...(json === undefined ? {} : {'content-type': 'application/json'}),
					...(as === undefined ? {} : {authorization: `Bearer ${tokens[as]}`}),
					...headers,
				},
			}),
		);
