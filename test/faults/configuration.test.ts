import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {loadColony} from '../../source/colony/load-colony.ts';
import {loadMachine} from '../../source/colony/load-machine.ts';
import {createFiles} from '../../source/drivers/files.ts';

const files = createFiles();

const bomb = `a: &a [x,x,x,x,x,x,x,x,x,x]\n${'bcdefghij'
	.split('')
	.map((name, at) => `${name}: &${name} [${Array(10).fill(`*${'abcdefghi'[at]}`).join(',')}]`)
	.join('\n')}\n`;

const whole: Readonly<Record<string, string>> = {
	'.hive/colony.yaml': 'slug: scratch\ndefaults:\n  default_bee: builder\n',
	'.hive/bees/builder.yaml': 'adapter: script\ncommand: ["true"]\n',
	'.hive/cues/feature.yaml': 'emit: task\nbee: builder\ntitle: "{{.Text}}"\n',
	'machine/config.yaml': 'colony_root: /nowhere\nslug: scratch\n',
	'machine/adapters/alpha.yaml': 'binary: /bin/true\n',
};

const torture: Readonly<Record<string, (text: string) => string>> = {
	'10 MB of it': text =>
		`${text}${'# '.padEnd(1024, 'x')}\n`.padEnd(10_000_000, `${'#'.padEnd(1023, 'y')}\n`),
	'10 MB on one line': text => `${text}x: "${'y'.repeat(10_000_000)}"\n`,
	'10,000 levels deep': text => `${text}x: ${'['.repeat(10_000)}`,
	'an alias bomb': text => text + bomb,
	'a duplicate key': text => `${text}${text}`,
	'half of it': text => text.slice(0, text.length / 2),
	'nothing in it': () => '',
	'only a list': () => '- a\n- b\n',
	'control characters': text => `${text}\u0000\u001b[2J\n`,
	'a document more': text => `${text}---\nother: true\n`,
	'a tag that wants code': text => `${text}x: !!js/function "function () { process.exit(9) }"\n`,
	'the name of a prototype': text => `${text}__proto__:\n  polluted: true\nconstructor: 1\n`,
};

const writeTexts = async (texts: Readonly<Record<string, string>>): Promise<string> => {
	const root = await mkdtemp(join(tmpdir(), 'hive-torture-'));
	onTestFinished(() => rm(root, {recursive: true, force: true, maxRetries: 5, retryDelay: 100}));
	for (const [path, text] of Object.entries(texts)) await files.write(join(root, path), text);
	return root;
};

/** Returns the problems of the whole configuration with their lines, as `hive doctor` shows them. */
const read = async (root: string): Promise<string[]> => {
	const [colony, machine] = await Promise.all([
		loadColony(files, root),
		loadMachine(files, join(root, 'machine')),
	]);
	const problems = colony.ok ? colony.value.problems : colony.refusal.details;
	const ofMachine = machine.ok ? (machine.value?.problems ?? []) : machine.refusal.details;
	return [...problems, ...ofMachine].map(({path}) => path);
};

test('valid files have no problem, with and without a byte order mark', async () => {
	expect(await read(await writeTexts(whole))).toEqual([]);
	const marked = Object.fromEntries(Object.entries(whole).map(([path, text]) => [path, `\ufeff${text}`]));
	expect(await read(await writeTexts(marked))).toEqual([]);
});

const cases = Object.keys(whole).flatMap(file =>
	Object.entries(torture).map(([what, change]) => ({file, what, change})),
);

test.each(cases)(
	'$file with $what is read or reported by name, without an exception',
	async ({file, change}) => {
		const root = await writeTexts({...whole, [file]: change(whole[file] ?? '')});
		const problems = await read(root);
		for (const path of problems) expect(path).toContain(file.split('/').at(-1));
		expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
		await files.write(join(root, file), whole[file] ?? '');
		expect(await read(root)).toEqual([]);
	},
);

test.each(['an alias bomb', 'a duplicate key', '10,000 levels deep', 'control characters', 'only a list'])(
	'%s is a problem in every file',
	async what => {
		for (const file of Object.keys(whole)) {
			const root = await writeTexts({...whole, [file]: torture[what]?.(whole[file] ?? '') ?? ''});
			expect([file, (await read(root)).length > 0]).toEqual([file, true]);
		}
	},
);
