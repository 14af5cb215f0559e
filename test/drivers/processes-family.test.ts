import {describe, expect, test, vi} from 'vitest';
import {familyOf} from '../../source/drivers/processes/family.ts';
import {linuxTable} from '../../source/drivers/processes/linux-table.ts';
import type {ListedProcess} from '../../source/drivers/processes/process-table.ts';
import {parseRows, psTable} from '../../source/drivers/processes/ps-table.ts';

const listed = (pid: number, more: Partial<ListedProcess> = {}): ListedProcess => ({
	pid,
	parent: 1,
	group: pid,
	startTime: `${pid}0`,
	program: 'sh',
	marked: false,
	...more,
});
const pids = (found: readonly {pid: number}[]): number[] => found.map(({pid}) => pid);

describe('the process family of a run', () => {
	test('contains marked processes and all their descendants', () => {
		const all = [listed(10, {marked: true}), listed(12, {parent: 11}), listed(11, {parent: 10}), listed(20)];
		expect(pids(familyOf(all, {known: []}))).toEqual([10, 11, 12]);
	});

	test('contains the process group of a live known member', () => {
		const all = [listed(10), listed(11, {group: 10}), listed(12, {group: 9})];
		expect(pids(familyOf(all, {known: [{pid: 10, startTime: '100'}]}))).toEqual([10, 11]);
	});

	test('excludes a process with the reused pid of a known member, and its group', () => {
		const all = [listed(10), listed(11, {group: 10})];
		expect(familyOf(all, {known: [{pid: 10, startTime: '99'}]})).toEqual([]);
	});

	test('excludes the group of a known member that is gone', () => {
		expect(familyOf([listed(11, {group: 10})], {known: [{pid: 10, startTime: '100'}]})).toEqual([]);
	});

	test('excludes named programs with all their descendants, even marked ones', () => {
		const all = [
			listed(10, {marked: true}),
			listed(11, {marked: true, program: 'tmux'}),
			listed(12, {marked: true, parent: 11}),
			listed(13, {parent: 12}),
		];
		expect(pids(familyOf(all, {known: [], leave: ['tmux']}))).toEqual([10]);
	});

	test('contains the children of a live supervisor, except those in its own group', () => {
		const all = [
			listed(10),
			listed(11, {parent: 10, group: 10}),
			listed(12, {parent: 10}),
			listed(13, {parent: 12}),
			listed(14, {parent: 11, group: 10}),
		];
		const familyBelow = (startTime: string) =>
			pids(familyOf(all, {known: [], supervisors: [{pid: 10, startTime}]}));
		expect(familyBelow('100')).toEqual([12, 13]);
		expect(familyBelow('99')).toEqual([]);
	});

	test('is not reduced by a named program above the run', () => {
		const all = [listed(5, {program: 'tmux'}), listed(10, {parent: 5, marked: true})];
		expect(pids(familyOf(all, {known: [], leave: ['tmux']}))).toEqual([10]);
	});
});

describe('a process table', () => {
	test.runIf(process.platform === 'linux')(
		'of /proc finds marked processes by the whole value of the mark',
		async () => {
			const own = await linuxTable.find(process.pid);
			expect(own).toMatchObject({pid: process.pid, parent: process.ppid});
			const [name, value = ''] =
				Object.entries(process.env).find(([, text]) => /^\w{4,}$/.test(text ?? '')) ?? [];
			const find = async (mark: string) => (await linuxTable.list(mark)).find(({pid}) => pid === process.pid);
			expect(await find(`${name}=${value}`)).toEqual({...own, marked: true});
			expect(await find(`${name}=${value.slice(0, -1)}`)).toEqual({...own, marked: false});
		},
	);

	test.runIf(process.platform === 'linux')(
		'of /proc computes the age of a process independently of the wall clock',
		async () => {
			const {startTime = ''} = (await linuxTable.find(process.pid)) ?? {};
			const ageNow = () => linuxTable.ageOf(startTime);
			vi.setSystemTime(Date.now() + 3_600_000);
			const age = ageNow();
			vi.useRealTimers();
			expect(age).toBeLessThanOrEqual(ageNow());
			expect(linuxTable.ageOf(String(Number.MAX_SAFE_INTEGER))).toBe(0);
		},
	);

	test('of ps has the same process data as the system', async () => {
		const own = await psTable.find(process.pid);
		expect(own).toMatchObject({pid: process.pid, parent: process.ppid});
		const again = (await psTable.list('NO_SUCH=mark')).find(({pid}) => pid === process.pid);
		expect(again).toEqual({...own, marked: false});
	});

	test('of ps keeps a program name with a blank complete', () => {
		expect(parseRows('  7     1   5 Ss   Fri Nov 20 10:35:55 2026 /usr/local/bin/my agent\n')).toEqual([
			{pid: 7, parent: 1, group: 5, startTime: 'Fri Nov 20 10:35:55 2026', program: 'my agent'},
		]);
	});

	test('of ps excludes zombies', () => {
		expect(parseRows('7 1 7 Z+ Fri Nov 20 10:35:55 2026 sh\n')).toEqual([]);
	});
});
