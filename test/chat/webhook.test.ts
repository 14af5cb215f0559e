import {createServer} from 'node:http';
import {type AddressInfo, createServer as createSocketServer} from 'node:net';
import {expect, it, onTestFinished} from 'vitest';
import {openChatController} from '../../source/chat/chat-controller.ts';
import {createWebhookChannel} from '../../source/chat/webhook/channel.ts';
import {listenForAnswers} from '../../source/chat/webhook/listen.ts';
import {isSigned, sign} from '../../source/chat/webhook/sign.ts';
import {claimOf, finishOf, item, planOf, statusOf} from '../helpers/events.ts';
import {createOffice, deskPorts} from './office.ts';

type Post = {
	readonly id: string;
	readonly text: string;
	readonly buttons: readonly {data: string; label: string}[];
};

const freePort = async (): Promise<number> => {
	const server = createSocketServer().listen(0, '127.0.0.1');
	await new Promise(resolve => server.once('listening', resolve));
	const {port} = server.address() as AddressInfo;
	await new Promise(resolve => server.close(resolve));
	return port;
};

/** Starts a server that keeps the posts whose signature is valid. */
const startReceiver = async (secret: string) => {
	const posts: Post[] = [];
	const server = createServer(async (request, response) => {
		let body = '';
		for await (const chunk of request) body += chunk;
		const time = String(request.headers['x-hive-time']);
		const signature = String(request.headers['x-hive-signature']);
		if (isSigned(secret, Date.now(), {time, signature, body})) posts.push(JSON.parse(body));
		response.end();
	}).listen(0, '127.0.0.1');
	await new Promise(resolve => server.once('listening', resolve));
	onTestFinished(() => server.closeAllConnections());
	onTestFinished(() => void server.close());
	return {posts, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`};
};

const secret = 'a-secret-of-the-hook';

it('the webhook channel sends signed posts, and performs the press of a signed answer once', async () => {
	const [office, receiver, port] = [await createOffice(), await startReceiver(secret), await freePort()];
	await office.say(
		planOf({...item('one'), review: 'required'}),
		statusOf('one', 'ready'),
		claimOf('run1', 'one'),
	);
	await office.say(finishOf('run1'), statusOf('one', 'waiting_review'));
	const webhook = {url: receiver.url, secret, listen: `127.0.0.1:${port}`};
	const {clock} = office.context;
	const desk = await openChatController(deskPorts(office, {channel: createWebhookChannel(webhook, clock)}));
	const over = new AbortController();
	const listening = listenForAnswers({webhook, clock, signal: over.signal, receive: desk.receive});
	await desk.poll();
	await desk.settled();
	const send = async (value: object, key = secret, time = String(Date.now())) => {
		const body = JSON.stringify(value);
		const headers = {'x-hive-time': time, 'x-hive-signature': sign(key, time, body)};
		const answer = await fetch(`http://${webhook.listen}/`, {method: 'POST', body, headers});
		await desk.settled();
		return answer.status;
	};
	const press = (label: string, key?: string, time?: string) =>
		send({data: receiver.posts.at(-1)?.buttons.find(button => button.label === label)?.data}, key, time);

	expect(receiver.posts).toEqual([expect.objectContaining({text: expect.stringContaining('Title of one')})]);
	expect(await press('Approve', 'another-secret')).toBe(404);
	expect(await press('Approve', secret, String(Date.now() - 3_600_000))).toBe(404);
	expect(await send({nonsense: true})).toBe(400);
	expect(receiver.posts).toHaveLength(1);
	expect(await press('Approve')).toBe(200);
	const sure = receiver.posts.at(-1)?.buttons[0]?.data;
	expect(await send({data: sure})).toBe(200);
	expect(await send({data: sure})).toBe(200);
	expect(receiver.posts.at(-1)?.text).toContain('Answered in the chat');
	expect(new Set(receiver.posts.map(({id}) => id)).size).toBe(1);
	const byChat = (await office.events()).filter(({agentId}) => agentId === 'chat');
	expect(byChat.map(({payload}) => payload.kind)).toEqual(['task.completed']);
	over.abort();
	await listening;
});
