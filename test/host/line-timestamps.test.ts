import {expect, test} from 'vitest';
import {createLineTimestamps, readLineTimestamps} from '../../source/host/logs/line-timestamps.ts';

const timesBy = (ends: Readonly<Record<number, string>>) => async (end: number) => ends[end];

test('line times are grouped for consecutive lines with the same time', async () => {
	const times = timesBy({102: 'early', 104: 'early', 107: 'late'});
	expect(await readLineTimestamps(Buffer.from('a\nb\nü\nopen'), 100, times)).toEqual([
		[2, 'early'],
		[1, 'late'],
		[1, null],
	]);
});

test('line times are found by received bytes, piece by piece, although redaction changed the text', async () => {
	const told = createLineTimestamps();
	told.addPiece(Buffer.from('a\n[redacted]\n'), [
		[1, 'early'],
		[1, 'late'],
	]);
	expect([await told.at(2), await told.at(3), await told.at(13)]).toEqual(['early', 'late', 'late']);
	told.addPiece(Buffer.from('c\nd\n'), [
		[1, null],
		[1_000_000, 'last'],
	]);
	expect([await told.at(15), await told.at(17), await told.at(99)]).toEqual([undefined, 'last', undefined]);
	told.addPiece(Buffer.from('older\n'), []);
	expect(await told.at(23)).toBeUndefined();
});
