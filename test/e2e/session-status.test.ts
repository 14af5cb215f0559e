import {describe, expect, test} from 'vitest';
import {createSessionScene} from '../helpers/talk.ts';

type Status = {
	readonly inbox: readonly {readonly kind: string; readonly agentId?: string; readonly sentence: string}[];
};
type Found = {
	readonly sessions: readonly {
		readonly sessionId: string;
		readonly title: string;
		readonly state: string;
		readonly matches: readonly {readonly role: string; readonly text: string}[];
	}[];
};

/** A bee whose program prints a question and reads a line, again and again. */
const asker = {
	...{adapter: 'alpha', script: '', interactive_template: 'talk.md'},
	interactive_command: [
		'perl',
		'-e',
		'$| = 1; print "@ARGV\\n"; for (1 .. 9) { print "Blue or green? "; <STDIN> }',
		'$PROMPT',
	],
};

/** A bee whose program rings the bell and asks nothing that a screen would tell. */
const ringer = {
	...{adapter: 'alpha', script: '', interactive_template: 'talk.md'},
	interactive_command: ['perl', '-e', '$| = 1; print "Finished\\n\\a"; sleep 600'],
};

const createScene = async () => createSessionScene({bees: {asker, ringer}});

describe('a session started without a terminal', () => {
	test('is printed, goes on without a reactor, and waits for a person in each list', async () => {
		const colony = await createScene();
		const started = await colony.ask<{sessionId: string; state: string; bee: string}>([
			...['bee', 'chat', 'asker', 'Paint the hive\nas you like', '--detached'],
		]);
		expect(started).toMatchObject({bee: 'asker', state: 'active', sessionId: expect.any(String)});
		await expect.poll(colony.only).toMatchObject({
			...{sessionId: started.sessionId, state: 'waiting', title: 'Paint the hive', attached: 0},
			waitingSince: expect.stringMatching(/^\d{4}-.*Z$/),
			lastRows: ['Paint the hive', 'as you like', 'Blue or green?'],
		});
		const {inbox} = await colony.ask<Status>(['status']);
		expect(inbox).toMatchObject([
			{
				...{kind: 'session', category: 'session', agentId: started.sessionId, title: 'Paint the hive'},
				sentence: 'The session with asker waits for you: Blue or green?',
			},
		]);
		expect((await colony.hive(['status'])).stdout).toContain(
			'1 waits for you: 1 session ("hive session list").',
		);
		expect((await colony.hive(['session', 'list'])).stdout).toMatch(/waits \d+ s .*Blue or green\?/);

		// An answer makes it work, and wait again with a later time.
		const [{waitingSince}] = (await colony.list()) as unknown as [{waitingSince?: string}];
		await colony.ask(['session', 'send', started.sessionId, '-b', 'Blue, please', '--submit']);
		await expect.poll(async () => JSON.stringify(await colony.only())).toMatch(/"waitingSince":"(?!null)/);
		expect(waitingSince).toEqual(expect.any(String));
	});

	test('waits when its program rings the bell, whatever its screen shows', async () => {
		const colony = await createScene();
		await colony.ask(['bee', 'chat', 'ringer', '--detached']);
		await expect.poll(colony.only).toMatchObject({state: 'waiting', lastRows: ['Finished']});
	});

	test('is found by what was said in it, live and over', async () => {
		const colony = await createScene();
		const {sessionId} = await colony.ask<{sessionId: string}>([
			'bee',
			'chat',
			'asker',
			'Mind the QUEEN',
			'--detached',
		]);
		const search = (text: string) => colony.ask<Found>(['session', 'search', text]);
		// The words of the person, and then the row in which the program prints them.
		await expect
			.poll(async () => (await search('queen')).sessions)
			.toMatchObject([
				{
					...{sessionId, title: 'Mind the QUEEN'},
					matches: [
						{role: 'user', text: 'Mind the QUEEN'},
						{role: 'agent', text: 'Mind the QUEEN'},
					],
				},
			]);
		await colony.ask(['session', 'stop', sessionId]);
		await expect.poll(colony.list).toEqual([]);
		expect((await search('blue or GREEN')).sessions).toMatchObject([
			{sessionId, matches: [{role: 'agent', text: 'Blue or green?'}]},
		]);
		expect((await search('drone')).sessions).toEqual([]);
		expect((await colony.hive(['session', 'search', 'drone'])).stdout).toContain('No session has "drone".');
	});

	test('begins with the talking prompt of hive, with the words of the person at its end', async () => {
		const {interactive_template: _, ...bee} = asker;
		const colony = await createSessionScene({bees: {plain: {...bee, prompt_template: 'talk.md'}}});
		const words = 'What is "slow" here?\n  And why?';
		await colony.ask(['bee', 'chat', 'plain', '--body', words, '--detached']);
		const {sessionId} = await colony.only();
		expect(await colony.read(`.hive/runs/${(await colony.only()).traceId}/${sessionId}/prompt.txt`)).toMatch(
			/^You are the bee "plain" of this repository, and a person talks with you.*\nWhat is "slow" here\?\n {2}And why\?$/s,
		);
	});
});

test('a session waits when a hook of its tool says so, which an answer ends', async () => {
	const hooked = {
		...{adapter: 'alpha', script: '', interactive_template: 'talk.md'},
		interactive_command: [
			...['sh', '-c'],
			'echo Thinking; printf . >>"$HIVE_RUN_DIR/sandbox/spool/asked"; read -r line; echo "Heard $line"; sleep 600',
		],
	};
	const colony = await createSessionScene({bees: {hooked}});
	const {sessionId} = await colony.ask<{sessionId: string}>(['bee', 'chat', 'hooked', '--detached']);
	await expect.poll(colony.only).toMatchObject({state: 'waiting', lastRows: ['Thinking']});
	await colony.ask(['session', 'send', sessionId, '-b', 'Go on', '--submit']);
	await expect.poll(colony.only).toMatchObject({state: 'idle', waitingSince: null, lastRows: []});
});
