import {expect, test} from 'vitest';
import {serialize} from '../../source/domain/serial-queue.ts';

test('each call of a serial queue begins after the one before it has settled, even by failing', async () => {
	const notes: string[] = [];
	const work = serialize(async (name: string) => {
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
