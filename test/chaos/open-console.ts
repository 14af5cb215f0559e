import {once} from 'node:events';
import {createInterface} from 'node:readline';
import type {ScratchColony} from './scratch-colony.ts';

/** Opens the page's API, with the token for programs. */
export const openConsole = async (colony: ScratchColony, ...options: readonly string[]) => {
	const child = colony.start(['console', '--addr', '127.0.0.1:0', '--json', ...options]);
	child.stderr?.resume();
	if (child.stdout === null) throw new Error('The console has no output.');
	const [line] = await once(createInterface({input: child.stdout}), 'line');
	const {url}: {url: string} = JSON.parse(String(line));
	const {token} = await colony.ask<{token: string}>(['console', 'token']);
	const call = (path: string, init: RequestInit = {}): Promise<Response> =>
		fetch(`${url}/api/${path}`, {
			...init,
			headers: {authorization: `Bearer ${token}`, 'content-type': 'application/json'},
		});
	const ask = (name: string, taskId: string, what: string, init?: RequestInit): Promise<Response> =>
		call(`traces/${name}/tasks/${taskId}/${what}`, init);
	const approve = (name: string, taskId: string, body: object = {}): Promise<Response> =>
		ask(name, taskId, 'approve', {method: 'POST', body: JSON.stringify(body)});
	return {
		child,
		approve,
		answer: (questionId: string, body: object): Promise<Response> =>
			call(`questions/${questionId}/answer`, {method: 'POST', body: JSON.stringify(body)}),
		/** Approves the merge as the page shows it now, again if it changes meanwhile. */
		approveShown: async (name: string, taskId: string): Promise<void> => {
			for (;;) {
				const {tree} = (await (await ask(name, taskId, 'preview')).json()) as {tree: string};
				const answer = await approve(name, taskId, {tree});
				if (answer.ok) return;
				const {code, detail} = (await answer.json()) as {code: string; detail: string};
				if (code !== 'stale_view') throw new Error(`${name} was not approved: ${detail}`);
			}
		},
		end: async (): Promise<void> => {
			child.kill('SIGTERM');
			await once(child, 'close');
		},
	};
};
