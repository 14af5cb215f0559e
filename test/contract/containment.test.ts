import {execFile} from 'node:child_process';
import {mkdir, mkdtemp, rm, writeFile} from 'node:fs/promises';
import {homedir, tmpdir} from 'node:os';
import {join} from 'node:path';
import {promisify} from 'node:util';
import {describe, expect, it, onTestFinished} from 'vitest';
import type {Place, Profile} from '../../source/domain/containment.ts';
import {createContainment} from '../../source/drivers/containment/containment.ts';
import {sandboxProfile} from '../../source/drivers/containment/sandbox-exec.ts';
import {which} from '../../source/drivers/processes/processes.ts';
import {canContain} from '../contain/namespaces.ts';

/** What a program in a profile may do with a file. */
type Access = 'nothing' | 'read' | 'write';

/** A way to contain programs, and how a test finds out what it lets a program do with a file. */
type Driver = {readonly accessTo: (profile: Profile, file: string) => Promise<Access>};

const bubblewrap = createContainment(which, []);
await bubblewrap.probe();

/** A program tries it. */
const tried: Driver = {
	accessTo: async (profile, file) => {
		const script = 'cat "$1" >/dev/null || exit 7; echo x >>"$1" || exit 8';
		const [program = '', ...args] = bubblewrap.wrap(profile, ['sh', '-c', script, 'sh', file]);
		const exitCode = await promisify(execFile)(program, args).then(
			() => 0,
			(error: {code?: unknown}) => error.code,
		);
		if (exitCode === 7) return 'nothing';
		return exitCode === 0 ? 'write' : 'read';
	},
};

/** The rules of the text, of which the last that fits decides; no Mac is needed for that. */
const evaluated: Driver = {
	accessTo: async (profile, file) => {
		const rules = [
			...sandboxProfile(profile).matchAll(/^\((allow|deny) ([^(\n]*?) ?(?:\((\w+) "(.*)"\))?\)$/gm),
		];
		const decides = (operation: string): boolean => {
			const fitting = rules.filter(
				([, , what = '', scope, path = '']) =>
					(what.includes(operation) || what === 'default') &&
					(scope === undefined || file === path || (scope === 'subpath' && file.startsWith(`${path}/`))),
			);
			return fitting.at(-1)?.[1] === 'allow';
		};
		if (!decides('file-read*')) return 'nothing';
		return decides('file-write*') ? 'write' : 'read';
	},
};

const drivers: readonly (readonly [string, Driver, boolean])[] = [
	['bubblewrap', tried, canContain.can],
	['sandbox-exec', evaluated, true],
];

/** Each case lays places in a folder, and says what a program may do with the file `a/b/file` there. */
const cases: readonly (readonly [string, (at: (path: string) => string) => readonly Place[], Access])[] = [
	['a file that no place names is only read', () => [], 'read'],
	['a file in a writable folder is written', at => [{path: at('a'), as: 'write'}], 'write'],
	['a writable file is written', at => [{path: at('a/b/file'), as: 'write'}], 'write'],
	['a file in a hidden folder is not there', at => [{path: at('a/b'), as: 'hide'}], 'nothing'],
	[
		'a file beside a hidden folder is written',
		at => [
			{path: at('a'), as: 'write'},
			{path: at('a/c'), as: 'hide'},
		],
		'write',
	],
	[
		'a read-only folder in a writable one is only read, whatever the order',
		at => [
			{path: at('a/b'), as: 'read'},
			{path: at('a'), as: 'write'},
		],
		'read',
	],
	[
		'a folder in a hidden one is read',
		at => [
			{path: at('a'), as: 'hide'},
			{path: at('a/b'), as: 'read'},
		],
		'read',
	],
	[
		'a writable folder in a read-only one in a writable one is written',
		at => [
			{path: at(''), as: 'write'},
			{path: at('a'), as: 'read'},
			{path: at('a/b'), as: 'write'},
		],
		'write',
	],
	[
		'a hidden folder in a hidden one is not there',
		at => [
			{path: at('a'), as: 'hide'},
			{path: at('a/b'), as: 'hide'},
		],
		'nothing',
	],
	[
		'of two places with one path the later one counts',
		at => [
			{path: at('a'), as: 'write'},
			{path: at('a'), as: 'read'},
		],
		'read',
	],
];

describe.each(drivers)('%s', (_, driver, canRun) => {
	it.skipIf(!canRun).each(cases)('%s', async (_title, placesIn, access) => {
		const root = await mkdtemp(join(homedir(), '.hive-contract-'));
		onTestFinished(() => rm(root, {recursive: true, force: true}));
		await mkdir(join(root, 'a/b'), {recursive: true});
		await mkdir(join(root, 'a/c'));
		const file = join(root, 'a/b/file');
		await writeFile(file, 'x');
		const profile = {places: placesIn(path => join(root, path)), network: 'none', workspace: '/'} as const;
		expect(await driver.accessTo(profile, file)).toBe(access);
	});
});

it.skipIf(!canContain.can)(
	'a folder in one that bubblewrap makes anew is there if a place names it',
	async () => {
		const root = await mkdtemp(join(tmpdir().startsWith('/dev/') ? tmpdir() : '/dev/shm', 'hive-contract-'));
		onTestFinished(() => rm(root, {recursive: true, force: true}));
		const file = join(root, 'file');
		await writeFile(file, 'x');
		const accessWith = (places: readonly Place[]) =>
			tried.accessTo({places, network: 'none', workspace: '/'}, file);
		expect(await accessWith([])).toBe('nothing');
		expect(await accessWith([{path: root, as: 'read'}])).toBe('read');
	},
);
