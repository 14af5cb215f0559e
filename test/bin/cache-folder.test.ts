import {mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {afterEach, beforeEach, describe, expect, it} from 'vitest';
import {cacheFolder} from '../../source/bin/cache-folder.ts';

let home: string;
beforeEach(() => {
	home = mkdtempSync(path.join(tmpdir(), 'hive-cache-'));
});
afterEach(() => rmSync(home, {recursive: true}));

const usedBefore = (build: string, seconds: number): void => {
	const folder = path.join(home, 'hive', build);
	mkdirSync(folder, {recursive: true});
	writeFileSync(path.join(folder, 'code'), '');
	utimesSync(folder, seconds, seconds);
};

describe('the folder of the compiled code', () => {
	it('is named by the contents of the build, in the cache of the person', () => {
		expect(cacheFolder('aa', {XDG_CACHE_HOME: home, HOME: '/nowhere'})).toBe(path.join(home, 'hive', 'aa'));
		expect(cacheFolder('aa', {HOME: home})).toBe(path.join(home, '.cache', 'hive', 'aa'));
		expect(readdirSync(path.join(home, '.cache', 'hive'))).toEqual(['aa']);
	});

	it('is never below the working directory', () => {
		expect(cacheFolder('aa', {XDG_CACHE_HOME: 'cache', HOME: home})).toBe(
			path.join(home, '.cache', 'hive', 'aa'),
		);
	});

	it('takes the oldest of other builds away when a new build starts, and nothing afterwards', () => {
		for (const [seconds, build] of ['b1', 'b2', 'b3', 'b4'].entries()) usedBefore(build, seconds + 1);
		cacheFolder('aa', {XDG_CACHE_HOME: home});
		expect(readdirSync(path.join(home, 'hive'))).toEqual(['aa', 'b3', 'b4']);
		usedBefore('b5', 5);
		cacheFolder('aa', {XDG_CACHE_HOME: home});
		expect(readdirSync(path.join(home, 'hive'))).toEqual(['aa', 'b3', 'b4', 'b5']);
	});

	it('is named where it cannot be made', () => {
		expect(cacheFolder('aa', {XDG_CACHE_HOME: '/dev/null'})).toBe('/dev/null/hive/aa');
	});
});
