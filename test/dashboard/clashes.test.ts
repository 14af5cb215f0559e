import {afterEach, beforeEach, describe, expect, it} from 'vitest';
import type {Clashes} from '../../source/host/views/clashes.ts';
import {ago, buildTask, buildTrace, mapOf} from './build-trace.ts';
import {type Driver, drive, textOf} from './screen-of.ts';

const gate = (minutes: number) =>
	buildTask('_review', {status: 'waiting_review', review: 'final', bee: '', updatedAt: ago(minutes)});
const login = buildTrace('login', {title: 'Add login', tasks: [buildTask('a', {status: 'running'})]});
const imports = buildTrace('imports', {title: 'Faster imports', tasks: [gate(9)]});
const typo = buildTrace('typo', {title: 'Fix typo', tasks: [gate(3)]});

const clashes: Clashes = {
	conflicts: new Map([['typo', {work: 'c1', paths: ['readme.md', 'docs/a.md']}]]),
	overlaps: [{traceIds: ['login', 'imports'], paths: ['src/users.ts', 'src/b.ts', 'src/c.ts']}],
	bases: new Map(),
};

let driver: Driver;
beforeEach(async () => {
	driver = await drive(
		{columns: 160, rows: 45},
		{follow: (_, call) => call({traces: mapOf(login, imports, typo), events: []})},
	);
	driver.tell.clashes(clashes);
	await driver.settled();
});
afterEach(() => driver.stop());

describe('live traces that change the same lines', () => {
	it('state the overlap in their rows, with the title of the other trace', () => {
		expect(driver.screen()).toMatch(/Add login · ≈ Faster imports/);
		expect(driver.screen()).toMatch(/Faster imports · ≈ Add login/);
		expect(driver.screen()).not.toMatch(/Fix typo · ≈/);
	});

	it('leave room for the title if the overlap is in the same row', async () => {
		const listed = () => textOf({...driver.store.getState(), size: {columns: 60, rows: 15}}).join('\n');
		expect(listed()).toMatch(/Faster imports · ≈ Add login/);
		const ofImports = (other: string) => ({traceIds: ['imports', other], paths: ['a.ts']}) as const;
		driver.tell.clashes({...clashes, overlaps: [ofImports('login'), ofImports('typo')]});
		await driver.settled();
		expect(listed()).toMatch(/Faster imports · ≈ 2 others/);
	});

	it('state the overlapping place in the detail of the trace', () => {
		driver.press('G', 'i');
		expect(driver.screen()).toMatch(/Shares lines +with Faster imports, in src\/users\.ts and 2 more/);
	});

	it('state the overlap above the work to review, and in the dialog that merges it', async () => {
		driver.press('3', 'j');
		await driver.settled();
		expect(driver.screen()).toContain('! Add login changes the same lines of src/users.ts and 2 more');
		driver.press('a');
		await driver.settled();
		expect(driver.screen().match(/Add login changes the same lines of src/g)?.length).toBeGreaterThan(1);
	});

	it('state no overlap after one of the traces ends', async () => {
		driver.tell.clashes({...clashes, overlaps: [], bases: new Map()});
		await driver.settled();
		expect(driver.screen()).not.toContain('same lines');
	});
});

describe('a conflict in the inbox', () => {
	it('comes first among the reviews, names its files, and can be updated there', async () => {
		driver.press('3');
		await driver.settled();
		expect(driver.screen()).toMatch(/>✗ Fix typo/);
		expect(driver.screen()).toContain('Its work conflicts with its ba');
		driver.press('u');
		driver.wait(300);
		driver.press('tab', 'enter');
		await driver.settled();
		expect(driver.asked).toContainEqual({
			action: 'proposal.update',
			input: expect.objectContaining({traceId: 'typo'}),
		});
	});

	it('is a review again after the conflict is gone', async () => {
		driver.tell.clashes({...clashes, conflicts: new Map()});
		driver.press('3');
		await driver.settled();
		expect(driver.screen()).not.toContain('conflict');
		expect(driver.screen()).toMatch(/◆ Fix typo/);
	});
});
