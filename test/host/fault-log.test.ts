import {mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {afterAll, beforeEach, expect, it} from 'vitest';
import {createFaultLog} from '../../source/host/fault-log.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'hive-faults-'));
afterAll(() => rmSync(folder, {recursive: true, force: true}));

let home: string;
let count = 0;
beforeEach(() => {
	count += 1;
	home = path.join(folder, String(count));
	mkdirSync(home);
});

const open = (env: Record<string, string> = {}) =>
	createFaultLog({env: {HOME: home, ...env}, cwd: () => home, version: '1.2.3'});

const all = (): string => path.join(home, '.config/hive/reports');

it('a fault report has the last fifty actions, current sizes and every cause, and no secret', () => {
	const faults = open({ACME_API_KEY: 'hush-hush-42'});
	for (let action = 0; action < 60; action += 1) faults.note(`action-${action}.`);
	let traces = 1;
	faults.measure(() => ({traces}));
	traces = 7;
	const file = faults.report(new Error('outer', {cause: new TypeError('inner hush-hush-42')})) ?? '';
	const text = readFileSync(file, 'utf8');
	expect(text).toContain('Error: outer\n    at ');
	expect(text).toContain('Caused by TypeError: inner [redacted]\n    at ');
	expect(text).toContain('hive: 1.2.3\n');
	expect(text).toContain('traces: 7\n');
	expect(text).toContain('action-10.\n');
	expect(text).toContain('action-59.\n');
	expect(text).not.toContain('action-9.');
	expect([statSync(file).mode & 0o777, statSync(all()).mode & 0o777]).toEqual([0o600, 0o700]);
});

it('a fault report goes to the machine folder of the opened colony, without the secrets of the colony', () => {
	const faults = open();
	const machine = path.join(home, 'machine');
	faults.opened({folder: machine, secrets: () => ['from-the-bus']});
	const file = faults.report(new Error('refused by from-the-bus')) ?? '';
	expect(path.dirname(file)).toBe(path.join(machine, 'reports'));
	expect(readFileSync(file, 'utf8')).toContain('refused by [redacted]');
});

it('the newest five fault reports are kept, and other files are not touched', () => {
	mkdirSync(all(), {recursive: true});
	const older = Array.from({length: 6}, (_, index) => `2020-01-01T00-00-0${index}.000Z.txt`);
	for (const name of [...older, 'notes.txt']) writeFileSync(path.join(all(), name), '');
	const file = open().report(new Error('new')) ?? '';
	expect(readdirSync(all()).toSorted()).toEqual([...older.slice(2), path.basename(file), 'notes.txt']);
});

it('the same error makes one report, and a report that cannot be written makes none', () => {
	const faults = open();
	const error = new Error('again');
	expect(faults.report(error)).toBe(faults.report(error));
	expect(readdirSync(all())).toHaveLength(1);
	rmSync(path.join(home, '.config'), {recursive: true});
	writeFileSync(path.join(home, '.config'), 'no folder');
	expect(open().report(new Error('lost'))).toBeUndefined();
});
