import {spawnSync} from 'node:child_process';
import {
	chmodSync,
	chownSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	renameSync,
	rmSync,
	statSync,
	symlinkSync,
	utimesSync,
	writeFileSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import {afterEach, beforeEach, describe, expect, it} from 'vitest';
import {openCodeCache} from '../../source/bin/code-cache.ts';

const build = '00112233445566aa';
const another = '00112233445566bb';
const code = Buffer.from('what V8 compiled');

let home: string;
beforeEach(() => {
	home = mkdtempSync(path.join(tmpdir(), 'hive-cache-'));
});
afterEach(() => rmSync(home, {recursive: true}));

const env = () => ({HOME: home});
const all = () => path.join(home, '.cache', 'hive');
const folder = () => path.join(all(), build);
const keyFile = () => path.join(home, '.local', 'state', 'hive', 'code-key');
const kept = () => path.join(folder(), readdirSync(folder())[0] ?? '');
const read = (name = 'main.cjs') => openCodeCache(build, env())?.read(name);
const keep = (name = 'main.cjs') => openCodeCache(build, env())?.keep(name, code);
const modeOf = (file: string) => (statSync(file).mode & 0o777).toString(8);

describe('the cache of compiled code', () => {
	it('returns kept code only to the same build under the same name', () => {
		keep();
		expect(read()).toEqual(code);
		expect(read('chat.cjs')).toBeUndefined();
		expect(openCodeCache(another, env())?.read('main.cjs')).toBeUndefined();
	});

	it('is private to this user, and leaves no partial file', () => {
		keep();
		expect([all(), folder(), kept(), keyFile()].map(modeOf)).toEqual(['700', '700', '600', '600']);
		expect(readdirSync(folder())).toEqual([`main.cjs-${process.version}-${process.arch}`]);
		expect(readdirSync(path.dirname(keyFile()))).toEqual(['code-key']);
	});

	it('is in the folder that the environment names, unless that is below the working directory', () => {
		const given = {XDG_CACHE_HOME: path.join(home, 'c'), XDG_STATE_HOME: path.join(home, 's')};
		expect(openCodeCache(build, {...given, HOME: '/nowhere'})).toBeDefined();
		expect(readdirSync(path.join(home, 'c', 'hive'))).toEqual([build]);
		expect(readdirSync(path.join(home, 's', 'hive'))).toEqual(['code-key']);
		expect(openCodeCache(build, {...env(), XDG_CACHE_HOME: 'c', XDG_STATE_HOME: 's'})).toBeDefined();
		expect(existsSync(keyFile())).toBe(true);
		expect(readdirSync(all())).toEqual([build]);
	});

	it('removes the oldest of other builds when a new build starts, and nothing else', () => {
		const usedBefore = (name: string, seconds: number): void => {
			mkdirSync(path.join(all(), name), {recursive: true});
			utimesSync(path.join(all(), name), seconds, seconds);
		};
		const others = [1, 2, 3, 4].map(digit => `${digit}`.repeat(16));
		for (const [seconds, name] of ['photos', ...others].entries()) usedBefore(name, seconds + 1);
		read();
		expect(readdirSync(all())).toEqual([build, ...others.slice(2), 'photos']);
		usedBefore('5'.repeat(16), 9);
		read();
		expect(readdirSync(all())).toHaveLength(5);
	});

	it('is unavailable without a folder, a home or a key', () => {
		const nowhere = '/dev/null';
		expect(openCodeCache(build, {...env(), XDG_CACHE_HOME: nowhere})).toBeUndefined();
		expect(openCodeCache(build, {...env(), XDG_STATE_HOME: nowhere})).toBeUndefined();
		expect(openCodeCache(build, {HOME: nowhere})).toBeUndefined();
	});
});

describe('kept code', () => {
	it('is not used after it was changed, truncated or extended, and can be kept again', () => {
		keep();
		const whole = readFileSync(kept());
		const damage = fc.oneof(
			fc.tuple(fc.nat(whole.length - 1), fc.integer({min: 1, max: 255})).map(([at, bits]) => {
				const changed = Buffer.from(whole);
				changed.writeUInt8(changed.readUInt8(at) ^ bits, at);
				return changed;
			}),
			fc.nat(whole.length - 1).map(length => whole.subarray(0, length)),
			fc.nat(whole.length - 1).map(length => Buffer.concat([whole.subarray(0, length)], whole.length)),
			fc.uint8Array({minLength: 1}).map(more => Buffer.concat([whole, more])),
		);
		fc.assert(
			fc.property(damage, damaged => {
				fc.pre(!damaged.equals(whole));
				writeFileSync(kept(), damaged);
				expect(read()).toBeUndefined();
			}),
		);
		keep();
		expect(read()).toEqual(code);
	});

	it('is not used under another name, for another build, or with another key', () => {
		keep();
		keep('chat.cjs');
		const sealed = readFileSync(kept());
		for (const name of readdirSync(folder())) writeFileSync(path.join(folder(), name), sealed);
		expect([read('main.cjs'), read('chat.cjs')].filter(found => found !== undefined)).toHaveLength(1);
		openCodeCache(another, env());
		writeFileSync(path.join(all(), another, path.basename(kept())), sealed, {mode: 0o600});
		expect(openCodeCache(another, env())?.read('chat.cjs')).toBeUndefined();
		rmSync(keyFile());
		expect([read('main.cjs'), read('chat.cjs')]).toEqual([undefined, undefined]);
	});

	it.each([
		['others may read it', () => chmodSync(kept(), 0o640)],
		['others may write it', () => chmodSync(kept(), 0o602)],
		[
			'it is a link',
			() => {
				renameSync(kept(), path.join(home, 'aside'));
				symlinkSync(
					path.join(home, 'aside'),
					path.join(folder(), path.basename(`main.cjs-${process.version}-${process.arch}`)),
				);
			},
		],
		[
			'it is a pipe',
			() => {
				const file = kept();
				rmSync(file);
				expect(spawnSync('mkfifo', ['-m', '600', file]).status).toBe(0);
			},
		],
	])('is not used where %s, and is replaced', (_, spoil) => {
		keep();
		expect(read()).toEqual(code);
		spoil();
		expect(read()).toBeUndefined();
		keep();
		expect(read()).toEqual(code);
	});

	it('leaves no partial file if it cannot be kept', () => {
		keep();
		const file = kept();
		rmSync(file);
		mkdirSync(path.join(file, 'in the way'), {recursive: true});
		expect(() => keep()).toThrow();
		expect(readdirSync(folder())).toEqual([path.basename(file)]);
		expect(read()).toBeUndefined();
	});

	it.each([
		['others may read it', () => chmodSync(keyFile(), 0o644)],
		['it was cut off', () => writeFileSync(keyFile(), 'short')],
	])('is sealed with a new key where %s', (_, spoil) => {
		keep();
		const before = readFileSync(keyFile());
		spoil();
		expect(read()).toBeUndefined();
		expect(readFileSync(keyFile())).not.toEqual(before);
		expect([readFileSync(keyFile()).length, modeOf(keyFile())]).toEqual([32, '600']);
		keep();
		expect(read()).toEqual(code);
	});
});

describe('a folder of the cache', () => {
	it.each([
		['the folder of all builds', all],
		['the folder of a build', folder],
	])('is not used if others may write to it: %s', (_, where) => {
		keep();
		chmodSync(where(), 0o777);
		expect(openCodeCache(build, env())).toBeUndefined();
		chmodSync(where(), 0o755);
		expect(read()).toEqual(code);
	});

	it.each([
		['the folder of all builds', all],
		['the folder of a build', folder],
	])('is not used if it is a link: %s', (_, where) => {
		keep();
		const aside = path.join(home, 'aside');
		renameSync(where(), aside);
		symlinkSync(aside, where());
		const before = readdirSync(aside);
		expect(openCodeCache(build, env())).toBeUndefined();
		expect(openCodeCache(another, env())?.read('main.cjs')).toBeUndefined();
		expect(readdirSync(aside)).toEqual(before);
	});

	it.runIf(process.geteuid?.() === 0)(
		'is not used if it, its code or its key belongs to another user',
		() => {
			keep();
			for (const [where, isUsable] of [
				[kept(), true],
				[folder(), false],
				[all(), false],
			] as const) {
				const {uid} = statSync(where);
				chownSync(where, 34_567, -1);
				expect(openCodeCache(build, env()) !== undefined).toBe(isUsable);
				expect(read()).toBeUndefined();
				chownSync(where, uid, -1);
				expect(read()).toEqual(code);
			}
			const before = readFileSync(keyFile());
			chownSync(keyFile(), 34_567, -1);
			expect(read()).toBeUndefined();
			expect(readFileSync(keyFile())).not.toEqual(before);
		},
	);
});
