import {describe, expect, it} from 'vitest';
import {readUsage, sumUsage} from '../../source/runs/usage.ts';
import {filesInMemory} from '../colony/files-in-memory.ts';

const reading = (result: string | undefined) => {
	const path = '/repo/.hive/runs/t/a/result.json';
	return readUsage(filesInMemory(result === undefined ? {} : {[path]: result}).files, '/repo', 't', 'a');
};

describe('the usage of a run', () => {
	it('comes from result.json, with its source', async () => {
		const usage = {inputTokens: 10, outputTokens: 3, durationMs: 9, source: 'cursor.stream-json'};
		expect(await reading(JSON.stringify({status: 'completed', usage}))).toEqual({
			inputTokens: 10,
			outputTokens: 3,
			source: 'cursor.stream-json',
		});
	});

	it.each([
		['no file', undefined],
		['a file without usage', '{"status":"completed"}'],
		['a torn file', '{"usage":{"inputTok'],
		['another shape', '{"usage":[1,2]}'],
		['no counts', '{"usage":{"source":"x"}}'],
		['counts that are none', '{"usage":{"inputTokens":"9","outputTokens":-1,"cacheReadTokens":1.5}}'],
		['null', 'null'],
	])('is absent with %s', async (_, text) => {
		expect(await reading(text)).toBeUndefined();
	});

	it('is summed for each count', () => {
		expect(
			sumUsage([
				{inputTokens: 1, source: ''},
				{inputTokens: 2, cacheReadTokens: 5, source: ''},
			]),
		).toEqual({
			inputTokens: 3,
			outputTokens: 0,
			cacheReadTokens: 5,
			cacheWriteTokens: 0,
		});
	});
});
