import {expect, test, vi} from 'vitest';
import {openYamlCache} from '../../../source/colony/configuration/yaml-cache.ts';
import {readYaml} from '../../../source/colony/parse/read-yaml.ts';

const good = 'role: scout # looks\nparams:\n  - {a: 1, b: ~}\n  - "2"\n';

const createFolder = (text?: string) => {
	let kept = text;
	const write = vi.fn(async (_path: string, written: string) => {
		kept = written;
	});
	return {files: {read: async () => kept, write}, write, kept: () => kept ?? ''};
};

const readOnce = async (folder: ReturnType<typeof createFolder>, ...texts: string[]) => {
	const memory = await openYamlCache(folder.files, '/machine');
	const readings = await Promise.all(texts.map(memory.readYaml));
	await memory.save();
	return readings;
};

test('the YAML that one process read is known to the next, with its lines', async () => {
	const folder = createFolder();
	await readOnce(folder, good);
	expect(await readOnce(folder, good)).toEqual([readYaml(good)]);
	expect(folder.write).toHaveBeenCalledExactlyOnceWith('/machine/yaml.json', expect.any(String), {
		mode: 0o600,
	});
});

test('a text that changed is read again, and the old one is dropped from the memory', async () => {
	const folder = createFolder();
	await readOnce(folder, good);
	expect(await readOnce(folder, 'role: guard')).toEqual([readYaml('role: guard')]);
	expect(folder.kept()).not.toContain('scout');
});

test('a stored text is not parsed again, and a text that is read after storing is not stored', async () => {
	const folder = createFolder();
	const memory = await openYamlCache(folder.files, '/machine');
	const read = await memory.readYaml(good);
	await memory.save();
	expect(await memory.readYaml(good)).toMatchObject({
		tree: expect.toSatisfy(tree => read.ok && tree === read.tree),
	});
	expect(await memory.readYaml('role: guard')).toEqual(readYaml('role: guard'));
	await memory.save();
	expect(folder.kept()).not.toContain('guard');
	const next = await openYamlCache(folder.files, '/machine');
	expect(await next.readYaml(good)).toEqual(read);
});

test('the YAML memory reports a text with problems each time', async () => {
	const folder = createFolder();
	await readOnce(folder, good, 'a: [');
	expect(await readOnce(folder, good, 'a: [')).toEqual([readYaml(good), readYaml('a: [')]);
});

test('the YAML memory keeps numbers that JSON cannot hold', async () => {
	const folder = createFolder();
	await readOnce(folder, 'a: .inf');
	expect(await readOnce(folder, 'a: .inf')).toEqual([readYaml('a: .inf')]);
});

test.each([
	['no JSON', () => '{'],
	['of another version', (kept: string) => kept.replace(/"version":"[^"]*"/, '"version":"0"')],
	['without lines', (kept: string) => kept.replaceAll('"line"', '"row"')],
	['of other kinds', (kept: string) => kept.replaceAll('"scalar"', '"thing"')],
	['with a tree for a value', (kept: string) => kept.replace('"value":1', '"value":{}')],
])('a YAML memory that is %s counts as empty', async (_, damage) => {
	const folder = createFolder();
	await readOnce(folder, good);
	const damaged = createFolder(damage(folder.kept()));
	expect(await readOnce(damaged, good)).toEqual([readYaml(good)]);
	expect(damaged.write).toHaveBeenCalledOnce();
});

test('an unwritable folder of the YAML memory is no error', async () => {
	const folder = createFolder();
	folder.write.mockRejectedValue(new Error('read-only'));
	expect(await readOnce(folder, good)).toEqual([readYaml(good)]);
});
