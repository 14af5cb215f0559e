import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {createWaiting, traceId} from '../actions/at-the-gate.ts';
import {startBotApi} from '../helpers/bot-api.ts';

describe('the chat of a colony', () => {
	it('is paired, merges a final gate by its card, and goes on with the next gateway when one is killed', async () => {
		const [colony, api] = [await createWaiting(), await startBotApi()];
		await writeFile(
			join(colony.home, '.config/hive/scratch/chat.yaml'),
			JSON.stringify({enabled: true, bot_token: '1:secret-token', api_root: api.url}),
			{mode: 0o600},
		);
		const first = colony.follow(['gate', 'chat']);
		const {code} = await colony.ask<{code: string}>(['gate', 'pair']);
		api.say('/status');
		api.say(code);
		await api.message('This chat is paired');
		const card = await api.message('Review');
		expect(card.text).toContain('work.txt +1 -0');
		expect(api.messages.some(({text}) => text.includes('No reactor'))).toBe(false);

		process.kill(first.pid, 'SIGKILL');
		api.press(card, 'Merge');
		colony.follow(['gate', 'chat']);
		await api.until(() => card.text.includes('Merge: are you sure?') || undefined);
		api.press(card, 'Yes: Merge');
		await api.until(() => card.text.includes('Merged into main') || undefined);
		expect(await colony.merges()).toHaveLength(1);
		expect(api.messages.filter(({text}) => text.includes('Review'))).toHaveLength(1);
		const said = (await colony.replay(traceId)).filter(({agentId}) => agentId === 'chat');
		expect(said.map(({payload}) => payload.kind)).toEqual(['merge.started', 'task.completed']);
	});

	it('is refused where nothing enables it, and where others may read its token', async () => {
		const {hive, home} = await createWaiting();
		expect(await hive(['gate', 'pair'])).toMatchObject({exitCode: 5});
		await writeFile(join(home, '.config/hive/scratch/chat.yaml'), 'enabled: true\nbot_token: "1:x"\n', {
			mode: 0o644,
		});
		expect((await hive(['gate', 'chat'])).stderr).toContain('others may read it');
	});
});
