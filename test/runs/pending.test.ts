import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import fc from 'fast-check';
import {expect, onTestFinished, test} from 'vitest';
import {createFiles} from '../../source/drivers/files.ts';
import {acknowledgePending, appendPending, compactPending, readPending} from '../../source/runs/pending.ts';

const files = createFiles();

const folder = async (): Promise<string> => {
	const path = await mkdtemp(join(tmpdir(), 'hive-pending-'));
	onTestFinished(() => rm(path, {recursive: true, force: true, maxRetries: 5, retryDelay: 100}));
	return path;
};

const say = (directory: string, name: string) =>
	appendPending(
		files,
		directory,
		{traceId: 't', agentId: 'a', type: 'INSIGHT', payload: {kind: name}},
		{id: name.padStart(28, '0'), createdAt: '2026-01-01T00:00:00.000Z'},
	);

const kinds = async (directory: string) => (await readPending(files, directory)).map(({kind}) => kind);

test('deferred events wait in order until they are resolved, and a compaction removes resolved events', async () => {
	const directory = await folder();
	expect(await kinds(directory)).toEqual([]);
	for (const name of ['a', 'b', 'c']) await say(directory, name);
	await acknowledgePending(files, directory, ['b'.padStart(28, '0')]);
	expect(await kinds(directory)).toEqual(['a', 'c']);
	await compactPending(files, directory);
	expect(await kinds(directory)).toEqual(['a', 'c']);
	expect(await files.read(join(directory, 'pending.ndjson'))).not.toContain('settled');
	await acknowledgePending(
		files,
		directory,
		['a', 'c'].map(name => name.padStart(28, '0')),
	);
	await compactPending(files, directory);
	expect(await files.read(join(directory, 'pending.ndjson'))).toBe('');
});

test('every line of the file has a stable id that differs from runtime ids, and no line is lost', async () => {
	const directory = await folder();
	const line = fc
		.oneof(
			fc.string(),
			fc.json(),
			fc.record({id: fc.string(), payload: fc.jsonValue()}).map(value => JSON.stringify(value)),
		)
		.map(text => text.replaceAll('\n', ' '))
		.filter(text => text.trim() !== '' && !text.includes('settled'));
	await fc.assert(
		fc.asyncProperty(fc.array(line, {minLength: 1, maxLength: 6}), async lines => {
			await files.write(join(directory, 'pending.ndjson'), `${lines.join('\n')}\n`);
			const waiting = await readPending(files, directory);
			expect(waiting).toHaveLength(lines.length);
			for (const {id} of waiting) expect(id).toMatch(/^[0-9a-f]{28}$/);
			await compactPending(files, directory);
			expect(await readPending(files, directory)).toEqual(waiting);
		}),
		{numRuns: 50},
	);
});
