import {expect, it} from 'vitest';
import {createAppendQueue} from '../../source/sessions/append-queue.ts';

it('an append queue writes lines that are added at any point while an earlier write ends', async () => {
	for (let turns = 0; turns < 10; turns++) {
		const written: string[] = [];
		const queue = createAppendQueue(
			async texts => void written.push(...texts),
			() => {},
		);
		queue.add('one');
		for (let turn = 0; turn < turns; turn++) await Promise.resolve();
		queue.add('other');
		await queue.idle();
		expect(written, `after ${turns} turns`).toEqual(['one', 'other']);
	}
});
