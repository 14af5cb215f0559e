import {expect, test} from 'vitest';
import {reportOnce} from '../../source/reactor/report-once.ts';

test('a repeated failure is reported once a minute, and a different message at once', () => {
	let now = 0;
	const reported: string[] = [];
	const report = reportOnce({now: () => 0, elapsed: () => now, after: () => () => {}}, message =>
		reported.push(message),
	);
	for (now = 0; now < 150_000; now += 1000) {
		report('the disk is full');
		if (now === 10_000) report('something else');
	}
	expect(reported).toEqual(['the disk is full', 'something else', 'the disk is full', 'the disk is full']);
});
