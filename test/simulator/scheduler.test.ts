import {setImmediate as loopTurn} from 'node:timers/promises';
import {expect, test} from 'vitest';
import {createRandom} from './random.ts';
import {createScheduler} from './scheduler.ts';

test('a world is not at rest while one of its processes yields to the event loop', async () => {
	const scheduler = createScheduler(createRandom(1), 0);
	const owner = {name: 'one', gone: false};
	let isDone = false;
	const work = async () => {
		await scheduler.turn(owner);
		await loopTurn();
		await loopTurn();
		await scheduler.turn(owner);
		isDone = true;
	};
	void work();
	await scheduler.run();
	expect(isDone).toBe(true);
});
