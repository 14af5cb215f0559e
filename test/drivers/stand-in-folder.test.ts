import {type ChildProcessWithoutNullStreams, spawn} from 'node:child_process';
import {once} from 'node:events';
import {
	chmodSync,
	chownSync,
	copyFileSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {basename, dirname, join} from 'node:path';
import {beforeEach, describe, expect, onTestFinished, test} from 'vitest';
import {addressOfListener, standInName} from '../../source/drivers/private-socket/address.ts';
import {
	findStandInFolder,
	isPrivateFolder,
	usualFolder,
} from '../../source/drivers/private-socket/stand-in-folder.ts';
import {bundleProgram} from './sqlite-bus/peer.ts';

const isRoot = process.geteuid?.() === 0;
const other = 65_534;

let temporary: string;
let runtime: string;
beforeEach(() => {
	temporary = mkdtempSync(join(tmpdir(), 'h'));
	runtime = join(temporary, 'run');
	mkdirSync(runtime, {mode: 0o700});
	onTestFinished(() => rmSync(temporary, {recursive: true, force: true}));
});

const folderAt = (path: string, mode: number): string => {
	mkdirSync(path);
	chmodSync(path, mode);
	return path;
};

test('a folder is private if it belongs to this user, is no link, and is closed to all others', async () => {
	const at = (name: string) => join(temporary, name);
	expect(await isPrivateFolder(folderAt(at('own'), 0o700))).toBe(true);
	expect(await isPrivateFolder(folderAt(at('readable'), 0o750))).toBe(false);
	expect(await isPrivateFolder(folderAt(at('writable'), 0o702))).toBe(false);
	symlinkSync(at('own'), at('link'));
	expect(await isPrivateFolder(at('link'))).toBe(false);
	writeFileSync(at('file'), '', {mode: 0o600});
	expect(await isPrivateFolder(at('file'))).toBe(false);
	expect(await isPrivateFolder(at('missing'))).toBe(false);
});

const linkTo = (folder: string): string => {
	symlinkSync(folder, join(temporary, 'link'));
	return join(temporary, 'link');
};

/** Obstacles in place of the usual folder. */
const taken: Readonly<Record<string, (path: string) => void>> = {
	'a file': path => writeFileSync(path, ''),
	'a link to a private folder': path => symlinkSync(runtime, path),
	'a dangling link': path => symlinkSync(join(temporary, 'nowhere'), path),
	'a folder that others may enter': path => void folderAt(path, 0o755),
	...(isRoot ? {'a folder of another user': path => chownSync(folderAt(path, 0o700), other, other)} : {}),
};

describe('the folder for stand-in sockets', () => {
	test('is the usual one, created or existing', async () => {
		const usual = usualFolder(temporary);
		expect(await findStandInFolder({temporary, runtime})).toBe(usual);
		expect(await findStandInFolder({temporary, runtime})).toBe(usual);
		expect(await isPrivateFolder(usual)).toBe(true);
	});

	test.each(Object.entries(taken))('is in the runtime folder if %s blocks the usual one', async (_, take) => {
		take(usualFolder(temporary));
		expect(await findStandInFolder({temporary, runtime})).toBe(join(runtime, 'hive'));
		expect(await isPrivateFolder(join(runtime, 'hive'))).toBe(true);
	});

	test.each([
		['none is named', () => undefined],
		['it is relative', () => 'run'],
		['it is not there', () => join(temporary, 'gone')],
		['others may write there', () => folderAt(join(temporary, 'open'), 0o770)],
		['its path is long', () => folderAt(join(temporary, 'long'.repeat(12)), 0o700)],
		['it is a link', () => linkTo(runtime)],
	])(
		'has a shared random name if the usual one is blocked and of the runtime folder %s',
		async (_, named) => {
			writeFileSync(usualFolder(temporary), '');
			const places = {temporary, runtime: named()};
			const found = (await findStandInFolder(places)) ?? '';
			expect(dirname(found)).toBe(temporary);
			expect(basename(found)).toMatch(/^hive-\d+-\w{6}$/);
			expect(await isPrivateFolder(found)).toBe(true);
			expect(await findStandInFolder(places)).toBe(found);
		},
	);

	test('is undefined if no folder can be created', async () => {
		expect(await findStandInFolder({temporary: join(temporary, 'gone')})).toBeUndefined();
	});
});

test('a link in place of a long socket path does not lead to a socket of another program', async () => {
	const long = join(temporary, 'deep'.repeat(30), 'session.sock');
	mkdirSync(dirname(long));
	for (const name of ['agent.sock', await standInName(long)]) writeFileSync(join(runtime, name), '');
	symlinkSync(join(runtime, 'agent.sock'), long);
	expect(await addressOfListener(long)).toBeUndefined();
	rmSync(long);
	symlinkSync(join(runtime, await standInName(long)), long);
	expect(await addressOfListener(long)).toBe(join(runtime, await standInName(long)));
});

/** A user id that nothing else on this machine uses. */
const user = 1_000_000 + process.pid;

/** Only root can start processes as another user, or block a name before them. */
test.skipIf(!isRoot)(
	'all processes of a user meet although another user blocks the usual folder, in any environment',
	async () => {
		const bundled = await bundleProgram('test/drivers/link-program.ts');
		onTestFinished(bundled.remove);
		// The temporary folder of the tests is closed to the other user.
		const base = mkdtempSync('/tmp/h');
		const taken = `/tmp/hive-${user}`;
		writeFileSync(taken, '');
		onTestFinished(() => {
			for (const name of readdirSync('/tmp').filter(name => name.startsWith(basename(taken))))
				rmSync(join('/tmp', name), {recursive: true});
			rmSync(base, {recursive: true});
		});
		const [home, ...runtimes] = ['deep'.repeat(30), 'run', 'run-2'].map(name =>
			folderAt(join(base, name), 0o700),
		);
		for (const folder of [base, home ?? '', ...runtimes]) chownSync(folder, user, user);
		const program = join(base, 'program.mjs');
		copyFileSync(bundled.path, program);
		chmodSync(program, 0o644);
		const start = (runtime: string | undefined, what: 'serve' | 'ask'): ChildProcessWithoutNullStreams =>
			spawn(process.execPath, [program, what, join(home ?? '', 'reactor.sock')], {
				...{uid: user, gid: user, cwd: '/'},
				env: runtime === undefined ? {} : {XDG_RUNTIME_DIR: runtime},
			});
		/** Resolves with the first output, from either stream. */
		const said = async ({stdout, stderr}: ChildProcessWithoutNullStreams): Promise<string> =>
			String((await Promise.race([once(stdout, 'data'), once(stderr, 'data')]))[0]);
		for (const runtime of [runtimes[0], undefined]) {
			const server = start(runtime, 'serve');
			expect(await said(server)).toBe('serving\n');
			for (const own of [...runtimes, undefined]) expect(await said(start(own, 'ask'))).toBe('served');
			server.stdin.end();
			await once(server, 'exit');
			expect(await said(start(undefined, 'ask'))).toBe('nothing');
		}
	},
);
