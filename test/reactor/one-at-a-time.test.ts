import {expect, test} from 'vitest';
import {oneAtATime} from '../../source/reactor/one-at-a-time.ts';

test('each begins when the one before it is over, however that ended', async () => {
	const notes: string[] = [];
	const work = oneAtATime(async (name: string) => {
		notes.push(`begin ${name}`);
		await new Promise(setImmediate);
		notes.push(`end ${name}`);
		if (name === 'a') throw new Error('broken');
		return name;
	});
	const answers = await Promise.allSettled([work('a'), work('b')]);
	expect(answers).toMatchObject([{status: 'rejected'}, {status: 'fulfilled', value: 'b'}]);
	expect(notes).toEqual(['begin a', 'end a', 'begin b', 'end b']);
});
