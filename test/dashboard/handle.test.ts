import {afterEach, describe, expect, it, vi} from 'vitest';
import {noToolsMessage} from '../../source/colony/agent-tools.ts';
import type {DashboardServices} from '../../source/dashboard/world.ts';
import {accepted, HiveError, refuse} from '../../source/domain/errors.ts';
import type {RunRecord} from '../../source/domain/run.ts';
import type {Task} from '../../source/domain/task.ts';
import type {Trace} from '../../source/domain/trace.ts';
import {ago, buildInvite, buildLanding, buildRun, buildTask, buildTrace, mapOf} from './build-trace.ts';
import {fixturePreview, fixtureTraces} from './fixture-world.ts';
import {type Driver, drive} from './screen-of.ts';

const oauth = 'trace-019a8b7c3f9a1c02';
const flaky = 'trace-019a8b7177b0e4d1';

let driver: Driver;
afterEach(() => driver.stop());

describe('the Colony tab', () => {
	it('lists the agent tools, and how to install one while none is installed', async () => {
		let toolAdvice = noToolsMessage();
		let reload = (): void => {};
		driver = await drive(undefined, {
			facts: () => ({bees: [], problems: [], awaiting: [], toolAdvice}),
			reloaded: (_, call) => {
				reload = call;
			},
		});
		reload();
		await driver.settled();
		expect(driver.screen()).toContain('No agent tool is on PATH: the Colony tab says how to get one.');
		driver.press('6');
		for (const line of noToolsMessage()) expect(driver.screen()).toContain(line);
		toolAdvice = [];
		reload();
		await driver.settled();
		expect(driver.screen()).toContain('No problems. hive doctor checks it all.');
		expect(driver.screen()).not.toContain('No agent tool');
	});
});

describe('the approve dialog', () => {
	it('sends the tree that was shown, after y', async () => {
		driver = await drive();
		driver.press('a');
		expect(driver.screen()).toContain('Approve Partial index on users.oauth_id · Add OAuth login');
		driver.wait(300);
		driver.press('y');
		await driver.settled();
		expect(driver.asked).toEqual([
			{
				action: 'proposal.approve',
				input: expect.objectContaining({
					traceId: oauth,
					taskId: 'db-migration',
					expected: {status: 'waiting_review', proposal: 40},
				}),
			},
		]);
		expect(driver.screen()).toContain('✓ proposal.approve published');
	});

	it('shows the merge of the final gate, and names its tree', async () => {
		driver = await drive();
		driver.press('j', 'a');
		await driver.settled();
		expect(driver.screen()).toContain('Merge Fix flaky upload test');
		expect(driver.screen()).toContain('Merges 3 files +58 -4 into main.');
		expect(driver.screen()).toContain('migrations/014_oauth.sql +12 -0');
		driver.wait(300);
		driver.press('y');
		await driver.settled();
		expect(driver.asked[0]?.input).toMatchObject({
			traceId: flaky,
			expected: {status: 'waiting_review'},
			tree: 'feedfacefeedfacefeedfacefeedfacefeedface',
		});
	});

	it('states that the merge runs until it ends, and does not quit before', async () => {
		let refuseNow = (): void => {};
		const approve = () =>
			new Promise<ReturnType<typeof refuse>>(resolve => {
				refuseNow = () => resolve(refuse('merge_conflict'));
			});
		driver = await drive(undefined, {act: approve});
		driver.press('a');
		driver.wait(300);
		driver.press('y');
		expect(driver.screen()).toContain('▶ Approving Partial index on users.oauth_id · Add OAuth login…');
		driver.press('q');
		expect(driver.screen()).toContain('quit when it is done');
		refuseNow();
		await driver.settled();
		expect(driver.screen()).toContain('✗ The merge has conflicts');
		expect(driver.screen()).not.toContain('Approving');
		expect(driver.ended).toEqual([]);
	});

	it('can leave the work of the final gate on its branch', async () => {
		driver = await drive();
		driver.press('j', 'a');
		await driver.settled();
		driver.wait(300);
		driver.press('b');
		await driver.settled();
		expect(driver.asked[0]).toMatchObject({
			action: 'proposal.approve',
			input: {traceId: flaky, merge: false},
		});
	});

	it('shows the checks, and the verdict of the guard', async () => {
		driver = await drive();
		driver.press('a');
		expect(driver.screen()).toContain('✓ Guards: guard: "diff ok"');
		expect(driver.screen()).toContain('! Checks: No checks ran.');
	});

	it('keeps its buttons on screen however long the list of files is', async () => {
		const files = Array.from({length: 30}, (_, index) => ({path: `file-${index}`, added: 1, removed: 0}));
		driver = await drive(
			{columns: 60, rows: 15},
			{preview: async () => accepted({...fixturePreview, files})},
		);
		driver.press('j', 'a');
		await driver.settled();
		expect(driver.screen()).toContain('[ y Merge ]');
	});

	it('warns above the diff and before the merge of git configuration that a run planted, with the fix', async () => {
		const planted = ['filter.evil.clean', 'hooks/pre-commit'];
		const preview = async () => accepted({...fixturePreview, planted});
		driver = await drive({columns: 80, rows: 24}, {preview});
		driver.press('3');
		await driver.settled();
		expect(driver.screen()).toContain('✗ git would run programs here that "hive init" has not accepted:');
		driver.press('j', 'a');
		await driver.settled();
		expect(driver.screen()).toContain('hooks/pre-commit');
		expect(driver.screen()).toContain('[ y Merge ]');
	});

	it('lists warnings of the runs before the merge, and counts those beyond six', async () => {
		const warnings = ['no network', ...'abcdef'];
		driver = await drive({columns: 80, rows: 24});
		const gate = buildTask('_review', {review: 'final', status: 'waiting_review', bee: ''});
		const run = buildRun('r', {bee: 'maker', status: 'completed', warnings});
		driver.tell.update({traces: mapOf(buildTrace('t', {tasks: [gate], runs: [run]})), events: []});
		await driver.settled();
		driver.press('a');
		await driver.settled();
		expect(driver.screen()).toContain('! Outside, maker: no network');
		expect(driver.screen()).toContain('! and 2 more in the review');
		expect(driver.screen()).toContain('[ y Merge ]');
	});

	const withCheck = (state: 'not_checked' | 'passed' | 'failed' | 'not_required') => ({
		preview: async () =>
			accepted({
				...fixturePreview,
				carried: [],
				check: {state, summary: 'npm test', at: '', agentId: 'v', output: ''},
			}),
	});

	it('states that it lands after its checks, and in which position', async () => {
		driver = await drive({columns: 100, rows: 30}, withCheck('not_checked'));
		driver.press('j', 'a');
		await driver.settled();
		expect(driver.screen()).toContain('Lands 3 files +58 -4 on main once its checks have passed.');
		expect(driver.screen()).toContain('No other merge lands before it.');
		expect(driver.screen()).toContain('The merge with main is not checked yet.');
		for (const button of ['Cancel', 'y Land', 'b Leave on branch', 'w Without checks'])
			expect(driver.screen()).toMatch(new RegExp(`│.*\\[ ${button} \\].*│.*│$`, 'm'));
		expect(driver.screen()).not.toContain('passed on the tree');
		driver.wait(300);
		driver.press('esc');
		const place = fixtureTraces.get(flaky)?.place;
		const ahead = buildLanding('ahead', place === undefined ? {} : {place});
		driver.tell.update({traces: mapOf(...fixtureTraces.values(), ahead), events: []});
		await driver.settled();
		driver.press('a');
		await driver.settled();
		expect(driver.screen()).toContain('It becomes number 2 in the landing queue of main.');
		driver.wait(300);
		driver.press('y');
		await driver.settled();
		expect(driver.asked).toHaveLength(1);
		expect(driver.asked[0]).toMatchObject({action: 'proposal.approve', input: {tree: fixturePreview.tree}});
		expect(driver.asked[0]?.input).not.toHaveProperty('withoutChecks');
	});

	it('merges without checks only after a second act, with the reason', async () => {
		driver = await drive({columns: 100, rows: 30}, withCheck('not_checked'));
		driver.press('j', 'a');
		await driver.settled();
		driver.wait(300);
		driver.press('w');
		await driver.settled();
		expect(driver.asked).toEqual([]);
		expect(driver.screen()).toContain('Merges at once, although the checks have not passed on the result.');
		driver.press(...'CI is down', 'enter');
		await driver.settled();
		expect(driver.asked).toMatchObject([
			{
				action: 'proposal.approve',
				input: {withoutChecks: true, reason: 'CI is down', tree: fixturePreview.tree},
			},
		]);
	});

	it('offers to check again what failed its checks, and no merge with them', async () => {
		driver = await drive({columns: 100, rows: 30}, withCheck('failed'));
		driver.press('j', 'a');
		await driver.settled();
		expect(driver.screen()).toContain('The checks failed on what would land on main');
		expect(driver.screen()).toContain('\u2717 Checks: npm test');
		for (const button of ['y Land', 'y Merge']) expect(driver.screen()).not.toContain(button);
		driver.wait(300);
		driver.press('c');
		await driver.settled();
		expect(driver.asked).toMatchObject([{action: 'landing.retry', input: {tree: fixturePreview.tree}}]);
	});

	it('merges at once if the very tree has passed, or if no check is required, and says which', async () => {
		driver = await drive({columns: 100, rows: 30}, withCheck('passed'));
		driver.press('j', 'a');
		await driver.settled();
		expect(driver.screen()).toContain('\u2713 The checks passed on the tree that lands.');
		expect(driver.screen()).toContain('[ y Merge ]');
		driver = await drive({columns: 100, rows: 30}, withCheck('not_required'));
		driver.press('j', 'a');
		await driver.settled();
		expect(driver.screen()).toContain('No checks ran on the result.');
		expect(driver.screen()).toContain('[ y Merge ]');
	});

	it('states how many unsaved files the merge also changes, and that it keeps them', async () => {
		driver = await drive();
		driver.press('j', 'a');
		await driver.settled();
		expect(driver.screen()).toContain('! Changes: 2 unsaved files of yours will have both changes');
	});

	it('states why the merge would be refused, and offers no merge', async () => {
		const screens: string[] = [];
		for (const found of [{unsaved: ['notes.md']}, {conflicts: ['notes.md']}, {notTaken: ['notes.md']}]) {
			driver = await drive(undefined, {preview: async () => accepted({...fixturePreview, ...found})});
			driver.press('j', 'a');
			await driver.settled();
			expect(driver.screen()).toContain('notes.md');
			expect(driver.screen()).not.toContain('y Merge');
			screens.push(driver.screen());
		}
		expect(screens.map(screen => screen.includes('b Leave on branch'))).toEqual([true, true, false]);
		expect(screens[1]).toContain('u merges main into the work; a bee reworks what conflicts.');
	});

	it('states why the preview of the merge failed', async () => {
		const message = 'git cannot be started.';
		const preview = () => Promise.reject(new HiveError('internal', {message}));
		driver = await drive(undefined, {preview});
		driver.press('j', 'a');
		await driver.settled();
		expect(driver.screen()).toContain(message);
		expect(driver.screen()).not.toContain('y Merge');
	});

	it('stays open with its text if it is answered while the bus is unreachable', async () => {
		driver = await drive();
		driver.press('x');
		driver.wait(300);
		driver.type('use an index');
		driver.tell.status({reactor: 'here', bus: {state: 'unreachable', since: 0}, places: []});
		await driver.settled();
		driver.press('ctrl+d');
		await driver.settled();
		expect(driver.asked).toEqual([]);
		expect(driver.screen()).toContain('The bus is unreachable: what you see is read only.');
		driver.tell.status({reactor: 'here', bus: {state: 'live'}, places: []});
		await driver.settled();
		driver.press('ctrl+d');
		await driver.settled();
		expect(driver.asked[0]).toMatchObject({action: 'proposal.reject', input: {feedback: 'use an index'}});
	});

	it('offers only Cancel if the merge would conflict', async () => {
		driver = await drive(undefined, {preview: async () => refuse('merge_conflict')});
		driver.press('j', 'a');
		await driver.settled();
		driver.wait(300);
		driver.press('y');
		expect(driver.asked).toEqual([]);
		expect(driver.screen()).toContain('The merge has conflicts');
		expect(driver.screen()).not.toContain('y Merge');
	});

	it('does nothing on Enter, which is on Cancel, nor on Esc', async () => {
		driver = await drive();
		for (const key of ['enter', 'esc']) {
			driver.press('a');
			driver.wait(300);
			driver.press(key);
		}
		expect(driver.asked).toEqual([]);
		expect(driver.store.getState().mode.kind).toBe('browse');
	});

	it('ignores keys of its first moment, and pastes', async () => {
		driver = await drive();
		driver.press('a', 'y');
		driver.wait(300);
		driver.paste('y');
		expect(driver.asked).toEqual([]);
		expect(driver.store.getState().mode.kind).toBe('form');
	});

	it('keeps its subject while traces change', async () => {
		driver = await drive();
		driver.press('a');
		driver.tell.update({traces: new Map(), events: []});
		await driver.settled();
		driver.wait(300);
		driver.press('y');
		await driver.settled();
		expect(driver.asked[0]?.input).toMatchObject({taskId: 'db-migration'});
	});

	it('shows a refusal until a key is pressed', async () => {
		driver = await drive();
		const stale = await drive(undefined, {
			act: async () => refuse('stale_view'),
		});
		driver.stop();
		driver = stale;
		driver.press('a');
		driver.wait(300);
		driver.press('y');
		await driver.settled();
		expect(driver.screen()).toContain('What you looked at has changed since.');
		driver.press('j');
		expect(driver.screen()).not.toContain('What you looked at has changed since.');
	});
});

const worldWith = (trace: Trace): Partial<DashboardServices> => ({
	follow: (_signal, call) => call({traces: mapOf(trace), events: []}),
});

const inviting = buildTrace('t', {
	title: 'A dark theme',
	tasks: [buildTask('schema', {status: 'waiting_review', review: 'required', updatedAt: ago(60)})],
	invites: [
		buildInvite('newer', {createdAt: ago(2)}),
		buildInvite('older', {intent: 'grilling', task: 'Which colours?\nAnd when?', artifactRef: 'notes.md'}),
		buildInvite('later', {status: 'deferred', task: 'Which name?', createdAt: ago(9)}),
		buildInvite('said', {status: 'accepted', request: 3}),
	],
});

describe('the inbox', () => {
	it('has one row for each cause until it ends, with its actions', async () => {
		const failed = buildTask('a', {status: 'failed', summary: 'no disk', title: 'Write to disk'});
		driver = await drive();
		driver.tell.update({traces: mapOf(buildTrace('t', {title: 'Disks', tasks: [failed]})), events: []});
		driver.tell.survey({held: new Map(), problems: [{path: 'bees/a.yaml', message: 'no adapter'}]});
		await driver.store.flushed();
		driver.press('3');
		expect(driver.screen()).toContain('[3 Review(2)]');
		expect(driver.screen()).toMatch(/>✗ Write to disk/);
		expect(driver.screen()).toMatch(/! bees\/a.yaml/);
		expect(driver.screen()).toContain('It failed: no disk');
		expect(driver.screen()).toMatch(/│ t retry {2}: cancel task {2}K kill +│/);
		driver.press('t');
		await driver.settled();
		expect(driver.asked.map(({action}) => action)).toEqual(['task.retry']);
		driver.tell.update({traces: mapOf(buildTrace('t', {tasks: [{...failed, status: 'ready'}]})), events: []});
		await driver.store.flushed();
		expect(driver.screen()).toContain('[3 Review(1)]');
	});

	it('opens a broken configuration file in the editor, from its row and from its message', async () => {
		const edited: string[] = [];
		driver = await drive(undefined, {editFile: async file => void edited.push(file)});
		const problems = [{path: '.hive/bees/a.yaml:2', message: 'no adapter'}];
		driver.tell.survey({held: new Map(), problems});
		await driver.store.flushed();
		driver.press('3', 'G', 'enter');
		await driver.settled();
		expect(driver.screen()).toContain('Enter opens the file in your editor');
		driver.press('tab', 'enter');
		await driver.settled();
		expect(edited).toEqual(['.hive/bees/a.yaml', '.hive/bees/a.yaml']);
	});
});

describe('marked reviews', () => {
	const gate = (traceId: string) =>
		buildTrace(traceId, {
			title: `Work of ${traceId}`,
			tasks: [buildTask('_review', {review: 'final', status: 'waiting_review', bee: ''})],
		});
	/** @param moved traces whose base moves once, between their preview and their approval */
	const open = async (
		refused: string,
		conflicting: readonly string[] = [],
		moved: readonly string[] = [],
	) => {
		const approved: unknown[] = [];
		const still = new Set<unknown>(moved);
		driver = await drive(
			{columns: 120, rows: 36},
			{
				preview: async ({traceId}) =>
					accepted({...fixturePreview, conflicts: conflicting.includes(traceId) ? ['a.ts'] : []}),
				act: async (id, input) => {
					if (still.delete(input.traceId)) return refuse('stale_view');
					approved.push(id === 'proposal.approve' ? input.traceId : `${id} ${input.traceId}`);
					return input.traceId === refused ? refuse('merge_conflict') : accepted({said: `${id} done`});
				},
			},
		);
		driver.tell.update({traces: mapOf(gate('t1'), gate('t2'), gate('t3')), events: []});
		const overlaps = (['t3', 'other'] as const).map(id => ({
			...{traceIds: ['t1', id] as const, paths: ['a.ts']},
		}));
		driver.tell.clashes({conflicts: new Map(), overlaps, bases: new Map()});
		await driver.store.flushed();
		driver.press('3', 'space', 'space', 'space', 'a');
		await driver.settled();
		return approved;
	};

	it('are approved one after another, after one dialog with each preview', async () => {
		const approved = await open('');
		expect(driver.screen()).toContain('Needs you 3 of 3 · 3 marked');
		expect(driver.screen()).toContain('Approve 3 marked tasks');
		expect(driver.screen()).toContain('! Work of t2: 3 files +58 -4, 1 warning');
		expect(driver.screen()).toContain('≈ Work of t1 and Work of t3 change the same lines: the second');
		driver.wait(300);
		driver.press('y');
		await driver.settled();
		expect(approved).toEqual(['t1', 't2', 't3']);
		expect(driver.screen()).toContain('Approved all 3 tasks.');
	});

	it('are all approved in this order while those before them land and move the base', async () => {
		const approved = await open('', [], ['t2', 't3']);
		driver.wait(300);
		driver.press('y');
		await driver.settled();
		expect(approved).toEqual(['t1', 't2', 't3']);
		expect(driver.screen()).toContain('Approved all 3 tasks.');
	});

	it('stop at the first refused one, and report how many were approved', async () => {
		const approved = await open('t2');
		driver.wait(300);
		driver.press('y');
		await driver.settled();
		expect(approved).toEqual(['t1', 't2']);
		expect(driver.screen()).toContain('Approved 1 of 3, and stopped at Work of t2');
	});

	it('can be updated instead if they conflict with their base', async () => {
		const done = await open('', ['t1', 't3']);
		expect(driver.screen()).toContain('✗ Work of t3: conflicts with main in 1 file');
		expect(driver.screen()).toContain('u Update 2 in conflict');
		driver.wait(300);
		driver.press('u');
		await driver.settled();
		expect(done).toEqual(['proposal.update t1', 'proposal.update t3']);
		expect(driver.screen()).toContain('Updated all 2 tasks.');
	});
});

it('the approve dialog offers an update if the merge would conflict, and names the conflict first', async () => {
	driver = await drive(
		{columns: 60, rows: 15},
		{preview: async () => accepted({...fixturePreview, conflicts: ['a.ts']})},
	);
	driver.tell.update({
		traces: mapOf(
			buildTrace('t', {tasks: [buildTask('_review', {review: 'final', status: 'waiting_review'})]}),
		),
		events: [],
	});
	await driver.store.flushed();
	driver.press('3', 'a');
	await driver.settled();
	expect(driver.screen()).toMatch(/✗ conflicts with main in 1 file.*\n.*touched:.*\n.* a\.ts /);
	driver.wait(300);
	driver.press('u');
	await driver.settled();
	expect(driver.asked).toEqual([{action: 'proposal.update', input: {traceId: 't'}}]);
});

describe('an invite', () => {
	const open = async () => {
		driver = await drive({columns: 120, rows: 36}, worldWith(inviting));
		expect(driver.screen()).toContain('3 Review(3)');
		driver.press('3');
		await driver.settled();
	};

	it('comes first in the queue, the longest waiting before others, and shows its subject', async () => {
		await open();
		const rows = driver.screen().match(/(?<=^│[ >])\S.*?(?= *\d+[mh]│)/gm);
		expect(rows?.map(row => row.replaceAll(/ +/g, ' '))).toEqual([
			'? Which colours? · drone · …',
			'? Talk about newer · drone',
			'◆ Work on schema',
			'? Which name? · drone',
		]);
		for (const words of ['Invite to drone', 'drone · grilling', 'about notes.md', 'And when?'])
			expect(driver.screen()).toContain(words);
		driver.press('j');
		await driver.settled();
		expect(driver.screen()).toContain('Invite to drone');
		driver.press('j');
		await driver.settled();
		expect(driver.screen()).toContain('Work on schema ·');
	});

	it('is accepted with Enter and y, and its session gets the keyboard when it starts', async () => {
		const asked: unknown[] = [];
		const session = {traceId: 't', sessionId: 's1', status: 'running'} as const;
		driver = await drive(
			{columns: 120, rows: 36},
			{
				...worldWith(inviting),
				chat: async (id, input) => {
					asked.push({id, input});
					return accepted({role: 'drone', begun: Promise.resolve(accepted(session))});
				},
			},
		);
		driver.press('3');
		await driver.settled();
		driver.press('enter');
		expect(driver.screen()).toContain('Accept the invite to drone');
		driver.wait(300);
		driver.press('y');
		await driver.settled();
		const terminal = {columns: expect.any(Number), rows: expect.any(Number), trueColor: expect.any(Boolean)};
		expect(asked).toEqual([{id: 'invite.accept', input: {traceId: 't', inviteId: 'older', ...terminal}}]);
		expect(driver.store.getState()).toMatchObject({tab: 'sessions', mode: {kind: 'talk'}});
	});

	it('is rejected with x, or deferred', async () => {
		await open();
		driver.press('x');
		driver.wait(300);
		driver.press('x');
		await driver.settled();
		driver.press('x');
		driver.wait(300);
		driver.press('l');
		await driver.settled();
		expect(driver.asked).toEqual([
			{action: 'invite.reject', input: {traceId: 't', inviteId: 'older'}},
			{action: 'invite.reject', input: {traceId: 't', inviteId: 'older', defer: true}},
		]);
	});

	it('can be accepted or rejected after it was deferred, but not deferred again', async () => {
		await open();
		driver.press('end');
		await driver.settled();
		expect(driver.screen()).toContain('Invite to drone');
		expect(driver.screen()).toContain('It was put off until later.');
		expect(driver.screen()).toContain('Enter accepts it; x says no.');
		driver.press('x');
		await driver.settled();
		expect(driver.screen()).toContain('x Reject');
		expect(driver.screen()).not.toContain('l Later');
	});

	it('has keys whose effect the footer and the help describe', async () => {
		await open();
		expect(driver.screen()).toContain('a accept  x reject');
		expect(driver.screen()).not.toContain('a approve');
		driver.press('?');
		await driver.settled();
		expect(driver.screen()).toMatch(/a +Accept the invite/);
		expect(driver.screen()).toMatch(/x +Reject the invite, or put it off/);
		expect(driver.screen()).not.toContain('Approve what waits');
		driver.press('esc', 'j', 'j');
		await driver.settled();
		expect(driver.screen()).toContain('a approve  x reject ');
	});

	it('is accepted by Enter in its text pane too, which has no hunks', async () => {
		await open();
		driver.press('tab');
		await driver.settled();
		expect(driver.screen()).not.toContain('hunk');
		driver.press('enter');
		await driver.settled();
		expect(driver.screen()).toContain('Accept the invite to drone');
	});

	it('is copied as the command that accepts it, and found by its subject', async () => {
		await open();
		driver.press('Y');
		expect(driver.screen()).toContain('Copied: hive invite accept older');
		driver.press('/');
		driver.type('colours');
		driver.press('enter');
		await driver.settled();
		expect(driver.screen()).not.toContain('schema');
		expect(driver.screen()).toContain('Invite to drone');
	});
});

const taskProposal = {sequence: 40, workspace: 'isolated', summary: 'adds a column'} as const;

const guardFailed = buildTrace('t', {
	tasks: [
		buildTask('schema', {
			status: 'waiting_review',
			review: 'required',
			proposal: taskProposal,
		}),
	],
	runs: [
		buildRun('99aa02bb00bb11cc', {
			...{bee: 'guard', taskId: 'schema', trigger: 40, status: 'failed'},
			...{exitCode: 1, summary: 'out of memory'},
		}),
	],
});

const reviewing = buildRun('77aa02bb00bb11cc', {bee: 'reviewer', taskId: 'schema', trigger: 40});

/** A task whose own run has ended and whose proposal a guard still reviews. */
const proposedBy = (change: Partial<Task>, attendants: readonly RunRecord[] = [reviewing]) =>
	buildTrace('t', {
		tasks: [buildTask('schema', {agentId: 'r', proposal: taskProposal, ...change})],
		runs: [buildRun('r', {taskId: 'schema', status: 'completed'}), ...attendants],
	});
const atGuard = proposedBy({status: 'running', review: 'required'});
const atCommitGate = proposedBy({status: 'waiting_review'});

describe('work that a guard still reviews', () => {
	it('is shown as such, and asks for no person', async () => {
		driver = await drive(undefined, worldWith(atGuard));
		expect(driver.screen()).toContain('▶ guard running');
		expect(driver.screen()).toContain('reviewer at work');
		expect(driver.screen()).toContain('Its guard reviewer still runs.');
		for (const trace of [atGuard, atCommitGate]) {
			driver.stop();
			driver = await drive(undefined, worldWith(trace));
			expect(driver.screen()).toMatch(/3 Review +4/);
			driver.press('tab', 'enter');
			expect(driver.store.getState().tab).toBe('traces');
			driver.press('3');
			expect(driver.screen()).toContain('Nothing waits for you.');
		}
	});

	it('shows what prevents its guard from starting', async () => {
		const waits: DashboardServices['waits'] = async () => [
			{for: 'honey', what: 'the honey reserve is exhausted'},
		];
		const trace = proposedBy({status: 'running', review: 'required'}, []);
		driver = await drive(undefined, {...worldWith(trace), waits});
		driver.press('tab');
		await driver.settled();
		expect(driver.screen()).toContain('A bee has still to look at it.');
		expect(driver.screen()).toContain('waits: honey: the honey reserve is exhausted');
	});

	it('is approved without its guard only by an explicit choice, and not by Enter', async () => {
		driver = await drive(undefined, worldWith(atGuard));
		driver.press('a');
		expect(driver.screen()).toContain('Its guard reviewer still runs.');
		driver.wait(300);
		driver.press('y', 'enter');
		await driver.settled();
		expect(driver.asked).toEqual([]);
		driver.press('a');
		driver.wait(300);
		driver.press('w');
		await driver.settled();
		expect(driver.asked[0]).toMatchObject({
			action: 'proposal.approve',
			input: {taskId: 'schema', withoutGuard: true, expected: {status: 'running', proposal: 40}},
		});
	});

	it('is approved at a commit gate like any other work, with a note about its guard', async () => {
		driver = await drive(undefined, worldWith(atCommitGate));
		driver.press('a');
		expect(driver.screen()).toContain('Its guard reviewer still runs.');
		driver.wait(300);
		driver.press('y');
		await driver.settled();
		expect(driver.asked[0]).toMatchObject({action: 'proposal.approve', input: {taskId: 'schema'}});
		expect(driver.asked[0]?.input).not.toHaveProperty('withoutGuard');
	});

	it('starts over, with no mention of stopping its run, which has ended', async () => {
		driver = await drive(undefined, worldWith(atGuard));
		driver.press('t');
		expect(driver.screen()).toContain('It starts over when the guard is done.');
		expect(driver.screen()).not.toContain('stops agent');
	});
});

describe('the reject dialog', () => {
	it('needs no text', async () => {
		driver = await drive();
		driver.press('x');
		driver.wait(300);
		driver.press('ctrl+d');
		await driver.settled();
		expect(driver.asked).toMatchObject([{action: 'proposal.reject'}]);
	});

	it('takes a text, edited with readline keys', async () => {
		driver = await drive();
		driver.press('x');
		driver.wait(300);
		driver.type('make it partial');
		driver.press('ctrl+w');
		driver.type('unique');
		driver.press('ctrl+a');
		driver.type('> ');
		driver.press('ctrl+d');
		await driver.settled();
		expect(driver.asked[0]).toMatchObject({action: 'proposal.reject', input: {feedback: '> make it unique'}});
	});

	it('takes the text of an editor', async () => {
		driver = await drive();
		driver.press('x');
		driver.wait(300);
		driver.type('draft');
		driver.press('ctrl+g');
		await driver.settled();
		driver.press('ctrl+d');
		await driver.settled();
		expect(driver.asked[0]).toMatchObject({action: 'proposal.reject', input: {feedback: 'draft edited'}});
	});
});

describe('the kill dialog', () => {
	it('needs K and y, and names the trace by its title', async () => {
		driver = await drive();
		driver.press('K');
		driver.wait(300);
		expect(driver.screen()).toContain('Kill Add OAuth login');
		expect(driver.screen()).toContain('Stops 1 bee, cancels 4 tasks.');
		expect(driver.screen()).not.toContain('Kill …');
		driver.press('y');
		await driver.settled();
		expect(driver.asked[0]).toEqual({action: 'kill', input: {traceId: oauth}});
	});

	it('takes a reason, and reads no y in it as a yes', async () => {
		driver = await drive();
		driver.press('K');
		driver.wait(300);
		driver.press('shift+tab');
		driver.type('why');
		expect(driver.asked).toEqual([]);
		driver.press('enter');
		await driver.settled();
		expect(driver.asked[0]).toEqual({action: 'kill', input: {traceId: oauth, reason: 'why'}});
	});
});

describe('the dialogs of other actions', () => {
	it('add the chosen amount of honey', async () => {
		driver = await drive();
		driver.press('+');
		driver.wait(300);
		driver.press('right', 'enter');
		await driver.settled();
		expect(driver.asked[0]).toEqual({action: 'energy.add', input: {traceId: oauth, amount: 12}});
	});

	it('offer to raise each limit of the trace, the exhausted one first', async () => {
		const spent = {energyBudget: 12, energyRemaining: 9, maxCost: 5, spent: {cost: 5.2, tokens: 100}};
		const stopped = buildTask('a', {status: 'blocked', summary: 'Cost limit reached'});
		driver = await drive(undefined, worldWith({...buildTrace('t', {tasks: [stopped]}), ...spent}));
		expect(driver.screen()).toContain('$5.20/$5.00');
		driver.press('+');
		expect(driver.screen()).toContain('Cost limit reached. Resumes: Work on a.');
		expect(driver.screen()).toMatch(/\(•\) \$1 +cost limit, \$5\.20 of \$5\.00 spent/);
		driver.wait(300);
		driver.press('right', 'enter');
		await driver.settled();
		expect(driver.asked[0]).toEqual({action: 'energy.add', input: {traceId: 't', cost: 5}});
	});

	it('ask before they retry an open run', async () => {
		driver = await drive();
		driver.press('tab', 'k', 't');
		expect(driver.screen()).toContain('this stops builder and starts over');
		driver.wait(300);
		driver.press('y');
		await driver.settled();
		expect(driver.asked[0]).toMatchObject({
			action: 'task.retry',
			input: {taskId: 'ui', expected: {agentId: '5d2f91aa00bb11cc'}},
		});
	});

	it('retry the run of a failed guard, or send the task back with a text', async () => {
		for (const words of ['', 'use an index']) {
			driver = await drive(undefined, worldWith(guardFailed));
			driver.press('t');
			expect(driver.screen()).toContain('last failure: guard · exit 1 · out of memory');
			driver.wait(300);
			driver.press('shift+tab');
			driver.type(words);
			driver.press('ctrl+d');
			await driver.settled();
			expect(driver.asked[0]).toMatchObject({
				action: 'task.retry',
				input: {taskId: 'schema', ...(words === '' ? {} : {feedback: words})},
			});
			driver.stop();
		}
	});

	it('show what a task without a run waits for, as the colony reports it', async () => {
		driver = await drive();
		driver.press('tab');
		driver.press('end');
		driver.press('up');
		await driver.settled();
		expect(driver.screen()).toContain('waits: what docs needs');
	});

	it('ask for the inputs of an action without its own dialog, and fix its subject', async () => {
		driver = await drive();
		driver.press(':');
		driver.type('purge');
		driver.press('enter');
		expect(driver.screen()).toContain('Purge · ');
		expect(driver.screen()).toContain('The trace id again');
		driver.wait(300);
		driver.type(oauth);
		driver.press('enter');
		await driver.settled();
		expect(driver.asked[0]).toMatchObject({action: 'purge', input: {traceId: oauth, confirm: oauth}});
	});

	it('retry the failed guard of a completed task, until a gate takes the work', async () => {
		const done = buildTask('schema', {status: 'completed', proposal: taskProposal});
		const runs = [...guardFailed.runs.values()];
		driver = await drive(undefined, worldWith(buildTrace('t', {tasks: [done], runs})));
		driver.press('t');
		expect(driver.screen()).toContain('It stays completed: guard looks at it again, since its run failed.');
		driver.wait(300);
		driver.press('y');
		await driver.settled();
		expect(driver.asked[0]).toMatchObject({action: 'task.retry', input: {taskId: 'schema'}});
		driver.stop();
		const merged = buildTask('_review', {review: 'final', status: 'completed', updatedAt: ago(1)});
		driver = await drive(undefined, worldWith(buildTrace('t', {tasks: [done, merged], runs})));
		driver.press('t');
		expect(driver.screen()).toContain('Only what failed, is paused, runs or waits can be retried.');
	});

	it('send a task back from its commit gate only with a text', async () => {
		const waits = buildTask('schema', {status: 'waiting_review', review: 'none'});
		driver = await drive(undefined, worldWith(buildTrace('t', {tasks: [waits]})));
		driver.press('t');
		driver.wait(300);
		driver.press('ctrl+d');
		expect(driver.asked).toEqual([]);
		expect(driver.screen()).toContain('Say what should change.');
	});

	const asking = buildRun('r1', {
		...{status: 'completed', taskId: 'limit', finishedAt: ago(1), summary: 'I read both modules.'},
		questions: [
			{questionId: 'q1', sequence: 4, text: 'Per client or per route?', options: ['client', 'route']},
		],
	});
	const asked = buildTask('limit', {status: 'waiting_review', waitsFor: 'question', agentId: 'r1'});

	it('answer a question with an option or a text, and show what the agent said', async () => {
		driver = await drive(undefined, worldWith(buildTrace('t', {tasks: [asked], runs: [asking]})));
		expect(driver.screen()).toContain('asks you');
		driver.press('3');
		expect(driver.screen()).toContain('It asks: Per client or per route? (client / route)');
		expect(driver.screen()).toContain('It said: I read both modules.');
		expect(driver.screen()).toMatch(/│ t answer {2}a accept as done {2}: cancel task +│/);
		expect(driver.screen()).not.toContain('x rej');
		driver.press('t');
		driver.wait(300);
		driver.press('ctrl+d');
		expect(driver.screen()).toContain('Choose an option, or say it in words.');
		driver.press('tab', 'up', 'enter');
		await driver.settled();
		expect(driver.asked).toMatchObject([{action: 'task.retry', input: {taskId: 'limit', feedback: 'route'}}]);
		driver.press('t');
		driver.wait(300);
		driver.press('h', 'a', 'l', 'f', 'ctrl+d');
		await driver.settled();
		expect(driver.asked.at(-1)).toMatchObject({input: {feedback: 'half', expected: {agentId: 'r1'}}});
		driver.press('t');
		driver.wait(300);
		driver.press('s', 'o', 'tab', 'down', 'ctrl+d');
		await driver.settled();
		expect(driver.asked.at(-1)).toMatchObject({input: {feedback: 'client: so'}});
	});

	it('take one text as the answer to several questions', async () => {
		const more = {questionId: 'q2', sequence: 5, text: 'And how often?'};
		const run = {...asking, questions: [...(asking.questions ?? []), more]};
		driver = await drive(undefined, worldWith(buildTrace('t', {tasks: [asked], runs: [run]})));
		driver.press('t');
		driver.wait(300);
		expect(driver.screen()).toContain('And how often?');
		driver.press('ctrl+d');
		expect(driver.screen()).toContain('Say what you decide.');
		expect(driver.asked).toEqual([]);
	});

	it('accept work that changed nothing as done, or send it back with a text', async () => {
		const idle = buildTask('limit', {
			...{status: 'waiting_review', waitsFor: 'no_change', summary: 'Changed nothing: It was there.'},
		});
		driver = await drive(undefined, worldWith(buildTrace('t', {tasks: [idle]})));
		driver.press('3');
		expect(driver.screen()).toMatch(/no change/);
		expect(driver.screen()).toMatch(/│ a accept as done {2}t send back {2}: cancel task +│/);
		driver.press('t');
		driver.wait(300);
		driver.press('ctrl+d');
		expect(driver.screen()).toContain('Send back Work on limit');
		expect(driver.screen()).toContain('Say what should change.');
		driver.press('esc', 'a');
		driver.wait(300);
		driver.press('y');
		await driver.settled();
		expect(driver.asked.map(({action}) => action)).toEqual(['proposal.approve']);
	});

	it('name the tasks that start after the merge of a gate', async () => {
		const gate = buildTask('gate', {review: 'final', status: 'waiting_review', bee: ''});
		const after = ['Deploy', 'Check', 'Tell', 'Tidy'].map((title, index, titles) =>
			buildTask(title, {title, dependsOn: [titles[index - 1] ?? 'gate']}),
		);
		driver = await drive(undefined, worldWith(buildTrace('t', {tasks: [gate, ...after]})));
		driver.press('3', 'a');
		await driver.settled();
		expect(driver.screen()).toContain('Starts after the merge: Deploy, Check, Tell and 1 more.');
	});

	it('answer a run without a task, from its row and from its trace', async () => {
		const {taskId: _, ...run} = asking;
		const scout = {...run, bee: 'scout', trigger: 2, answers: 'feature.requested'};
		driver = await drive(undefined, worldWith(buildTrace('t', {title: 'Export', runs: [scout]})));
		expect(driver.screen()).toContain('scout asks you: Per client or per route?');
		for (const tab of ['1', '3']) {
			driver.press(tab, 't');
			driver.wait(300);
			driver.press('tab', 'down', 'enter');
			await driver.settled();
			expect(driver.asked.at(-1)).toMatchObject({
				action: 'bee.retry',
				input: {agentId: 'r1', feedback: 'client'},
			});
		}
		driver.press('Y');
		expect(driver.copied.at(-1)).toBe("hive bee retry r1 --feedback '<answer>'");
	});

	it('cancel one task from the palette, and name the tasks that are cancelled with it', async () => {
		driver = await drive();
		driver.press('tab', 'k', ':');
		driver.type('cancel task');
		driver.press('enter');
		expect(driver.screen()).toContain('Cancels 1 task that need it: Work on docs.');
		driver.wait(300);
		driver.press('tab', 'enter');
		await driver.settled();
		expect(driver.asked[0]).toMatchObject({action: 'task.cancel', input: {taskId: 'ui'}});
	});

	it('align the descriptions of the cues', async () => {
		driver = await drive();
		driver.press('c');
		const notes = driver.screen().match(/^.*\([• ]\) \S+ +(?=\S)/gm) ?? [];
		expect(notes.length).toBeGreaterThan(1);
		expect(new Set(notes.map(text => text.length)).size).toBe(1);
	});

	it('run the chosen cue', async () => {
		driver = await drive();
		driver.press('c');
		driver.wait(300);
		driver.type('dark mode');
		driver.press('tab', 'tab', 'right', 'enter');
		await driver.settled();
		expect(driver.asked[0]).toEqual({action: 'cue.run', input: {cueId: 'hotfix', text: 'dark mode'}});
	});

	it('ask what happens to open runs before the reactor quits', async () => {
		driver = await drive();
		driver.press('q');
		expect(driver.ended).toEqual([]);
		driver.wait(300);
		driver.press('s');
		await driver.settled();
		expect(driver.ended).toEqual([{exitCode: 0, bees: 'stop'}]);
	});

	it('are skipped on quitting if another process is the reactor', async () => {
		driver = await drive(undefined, {
			status: (_signal, call) => call({reactor: 'elsewhere', bus: {state: 'live'}, places: []}),
		});
		driver.press('q');
		expect(driver.ended).toEqual([{exitCode: 0, bees: 'leave'}]);
	});

	it('are skipped by a second Ctrl+C within three seconds, which quits', async () => {
		driver = await drive();
		driver.press('ctrl+c');
		expect(driver.ended).toEqual([]);
		driver.wait(1000);
		driver.press('ctrl+c');
		expect(driver.ended).toEqual([{exitCode: 130, bees: 'leave'}]);
	});
});

describe('browsing the dashboard', () => {
	it('reports that the pager or the editor cannot open, and keeps the typed text', async () => {
		const fails = (program: string) => () =>
			Promise.reject(new HiveError('internal', {message: `The ${program} could not be opened.`}));
		driver = await drive(undefined, {openPager: fails('pager'), edit: fails('editor')});
		driver.press('3', 'tab', 'tab', 'o');
		await driver.settled();
		expect(driver.screen()).toContain('✗ The pager could not be opened.');
		driver.press('x');
		driver.wait(300);
		driver.type('draft');
		driver.press('ctrl+g');
		await driver.settled();
		expect(driver.screen()).toContain('✗ The editor could not be opened.');
		expect(driver.screen()).toContain('draft');
	});

	it('shows errors from outside until a key is pressed', async () => {
		driver = await drive();
		driver.tell.complaint('The reactor was ended by SIGKILL; it is started again.');
		await driver.settled();
		driver.wait(60_000);
		expect(driver.screen()).toContain('✗ The reactor was ended by SIGKILL');
		driver.press('j');
		expect(driver.screen()).not.toContain('SIGKILL');
	});

	it('copies the id and the command of the selection', async () => {
		driver = await drive();
		driver.press('y', 'tab', 'Y');
		expect(driver.copied).toEqual([oauth, `hive proposal approve --trace ${oauth} --task db-migration`]);
	});

	it('filters a list while typing, and clears the filter with Esc', async () => {
		driver = await drive();
		driver.press('/');
		driver.type('bump');
		expect(driver.screen()).toContain('Traces 1 of 1 · /bump');
		driver.press('esc');
		expect(driver.screen()).toContain('Traces 4 of 4 ');
	});

	it('runs an action by its name from the palette', async () => {
		driver = await drive();
		driver.press(':');
		driver.type('honey');
		driver.press('enter');
		expect(driver.screen()).toContain('Honey for Add OAuth login');
	});

	it('keeps the selection on its trace when other traces arrive', async () => {
		driver = await drive();
		driver.press('j');
		const before = driver.store.getState();
		driver.tell.update({
			traces: new Map([
				['zz', {...[...before.traces.values()][0]!, traceId: 'zz', createdAt: '2027'}],
				...before.traces,
			]),
			events: [],
		});
		await driver.settled();
		expect(driver.screen()).toMatch(/>◆ {2}Fix flaky upload test/);
	});

	it('follows the log, stops following when scrolled up, and returns with End', async () => {
		driver = await drive();
		driver.press('tab', 'k', 'tab', 'tab');
		driver.tell.log(Array.from({length: 100}, (_, index) => `line ${index}\n`).join(''));
		await driver.settled();
		expect(driver.screen()).toContain('line 99');
		expect(driver.screen()).toContain('FOLLOW');
		driver.press('k');
		driver.tell.log('newest\n');
		await driver.settled();
		expect(driver.screen()).not.toContain('FOLLOW');
		expect(driver.screen()).not.toContain('newest');
		driver.press('G');
		expect(driver.screen()).toContain('newest');
		expect(driver.screen()).toContain('FOLLOW');
	});

	it('shows the time beside each line of a wide log, and only the text of a narrow one', async () => {
		vi.stubEnv('TZ', 'Asia/Tokyo');
		driver = await drive({columns: 100, rows: 24});
		driver.press('tab', 'k', 'tab', 'tab');
		await driver.settled();
		expect(driver.screen()).toContain('│22:59:31 reading src/auth/*.ts');
		driver.press('right');
		const {left} = driver.store.getState().scroll.log;
		expect(driver.screen()).toContain(`│22:59:31 ${'reading src/auth/*.ts'.slice(left)}`);
		driver.stop();
		driver = await drive({columns: 99, rows: 24});
		driver.press('tab', 'k', 'tab', 'tab');
		await driver.settled();
		expect(driver.screen()).toContain('│reading src/auth/*.ts');
	});

	it('switches the log to standard error and back, and shows the output first for another run', async () => {
		driver = await drive();
		driver.press('tab', 'k', 'tab', 'tab', 'e');
		await driver.settled();
		expect(driver.screen()).toContain('Log builder · stderr');
		expect(driver.screen()).toContain('a warning');
		expect(driver.screen()).not.toContain('reading src/auth');
		driver.press('e');
		await driver.settled();
		expect(driver.screen()).toContain('reading src/auth');
		expect(driver.screen()).not.toContain('a warning');
		driver.press('e', 'shift+tab', 'j');
		await driver.settled();
		expect(driver.screen()).toContain('Log builder · stdout');
		expect(driver.screen()).toContain('done');
	});

	it('wraps lines of a log beside their time, and leaves an unknown time empty', async () => {
		vi.stubEnv('TZ', 'UTC');
		driver = await drive({columns: 100, rows: 24});
		driver.press('tab', 'k', 'tab', 'tab', 'w');
		driver.tell.log(`${'x'.repeat(88)}yz\n`);
		await driver.settled();
		expect(driver.screen()).toContain('│14:02:09 $ npm test -- login');
		expect(driver.screen()).toContain(`│${' '.repeat(9)}${'x'.repeat(88)} │`);
		expect(driver.screen()).toContain(`│${' '.repeat(9)}yz`);
	});

	it('counts events that arrive while the list is paused', async () => {
		driver = await drive();
		driver.press('4', 'p');
		const {traces, events} = driver.store.getState();
		driver.tell.update({
			traces,
			events: [
				{...events[0]!, sequence: 900},
				{...events[0]!, sequence: 901},
			],
		});
		await driver.settled();
		expect(driver.screen()).toContain('PAUSED +2');
		expect(driver.screen()).toContain('Events 1 of 6');
		driver.press('p');
		expect(driver.screen()).toContain('Events 1 of 8');
	});

	it('jumps between files and hunks of the diff', async () => {
		driver = await drive({columns: 80, rows: 24});
		driver.press('3', 'tab', 'tab');
		await driver.settled();
		expect(driver.screen()).toContain('file 1/3');
		driver.press('}');
		expect(driver.screen()).toContain('file 2/3');
		driver.press(']');
		expect(driver.screen()).toMatch(/>@@ -31,4 /);
		driver.press(']', ']', ']');
		expect(driver.screen()).toMatch(/>@@ -81,3 /);
		driver.press('[', '[', '[');
		expect(driver.screen()).toMatch(/>@@ -31,4 /);
		driver.press('{', '{');
		expect(driver.screen()).toContain('file 1/3');
	});

	it('keeps its messages in the Events tab', async () => {
		driver = await drive();
		driver.press('m', '4');
		expect(driver.screen()).toMatch(/said here +Mouse on; hold Shift/);
		driver.press('enter');
		expect(driver.screen()).toContain('Said by the dashboard');
	});

	it('shows a long refusal as a whole, and the unreachable bus beside it', async () => {
		const hint = 'A hint that is long, far longer than the terminal is wide, and ends with the last word';
		driver = await drive({columns: 80, rows: 24}, {act: async () => refuse('internal', {hint})});
		driver.press('+');
		driver.wait(300);
		driver.press('enter');
		driver.tell.status({
			reactor: 'none',
			bus: {state: 'unreachable', since: Date.parse('2026-03-01T13:58:00Z')},
			places: [],
		});
		await driver.settled();
		expect(driver.screen().replaceAll(/\s+/g, ' ')).toContain('the last word');
		expect(driver.screen()).toContain('bus unreachable since 13:58:00');
	});

	it.each([
		{columns: 200, rows: 50},
		{columns: 120, rows: 36},
		{columns: 80, rows: 24},
		{columns: 60, rows: 15},
	])('shows the whole message for a missing folder with its fix, at $columns x $rows', async size => {
		driver = await drive(size, {cues: () => []});
		driver.tell.status({reactor: 'here', bus: {state: 'live'}, places: [], isGone: true});
		await driver.settled();
		const said = () => driver.screen().replaceAll(/\s+/g, ' ');
		expect(said()).toContain('The folder /home/me/acme-api is gone: it was moved or deleted.');
		expect(said()).toContain('run "hive init" where the folder is now');
		expect(said()).toContain('it offers to go on with the log.');
		driver.press('c');
		expect(said()).toContain('No cue can be run: the folder of this colony is gone.');
	});

	it('finds the next and the previous match in a log, and wraps around', async () => {
		driver = await drive();
		driver.press('tab', 'k', 'tab', 'tab');
		driver.tell.log(
			Array.from({length: 90}, (_, row) => `${row} ${row % 30 === 5 ? 'needle' : ''}\n`).join(''),
		);
		await driver.settled();
		driver.press('g', '/');
		driver.type('needle');
		driver.press('enter');
		const top = () => driver.store.getState().scroll.log.top;
		const first = top();
		driver.press('n');
		expect(top()).toBe(first + 30);
		driver.press('N', 'N');
		expect(top()).toBeGreaterThan(first + 30);
	});

	it('reports that there is no match', async () => {
		driver = await drive();
		driver.press('3', 'tab', 'tab', '/');
		await driver.settled();
		driver.type('nowhere to be found');
		driver.press('enter');
		expect(driver.screen()).toContain('"nowhere to be found" was not found here.');
	});

	it('shows old and new side by side on a wide screen, and jumps there too', async () => {
		driver = await drive({columns: 160, rows: 30});
		driver.press('3', 'tab', 'tab');
		await driver.settled();
		expect(driver.screen()).toMatch(/- {2}add column oauth text; +│ *2 \+ {2}add column oauth_id text;/);
		driver.press('}');
		expect(driver.screen()).toContain('file 2/3');
	});

	it('copies to the terminal and to the clipboard of this machine', async () => {
		const given: string[] = [];
		driver = await drive(undefined, {copy: text => void given.push(text)});
		driver.press('y');
		expect(given).toEqual([oauth]);
		expect(driver.copied).toEqual([oauth]);
	});

	it('shows an event as a whole', async () => {
		driver = await drive();
		driver.press('4', 'enter');
		expect(driver.screen()).toContain('"kind": "task.status"');
	});
});
