import {afterEach, describe, expect, it, vi} from 'vitest';
import {howToGetTools} from '../../source/colony/agent-tools.ts';
import type {World} from '../../source/dashboard/world.ts';
import {accepted, HiveError, refuse} from '../../source/domain/errors.ts';
import type {RunRecord} from '../../source/domain/run.ts';
import type {Task} from '../../source/domain/task.ts';
import type {Trace} from '../../source/domain/trace.ts';
import {ago, buildInvite, buildRun, buildTask, buildTrace, mapOf} from './build-trace.ts';
import {fixturePreview} from './fixture-world.ts';
import {type Driver, drive} from './screen-of.ts';

const oauth = 'trace-019a8b7c3f9a1c02';
const flaky = 'trace-019a8b7177b0e4d1';

let driver: Driver;
afterEach(() => driver.stop());

describe('the Colony tab', () => {
	it('says which tools there are and how to get one while none is installed', async () => {
		let toolAdvice = howToGetTools();
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
		for (const line of howToGetTools()) expect(driver.screen()).toContain(line);
		toolAdvice = [];
		reload();
		await driver.settled();
		expect(driver.screen()).toContain('No problems. hive doctor checks it all.');
		expect(driver.screen()).not.toContain('No agent tool');
	});
});

describe('approving', () => {
	it('sends what was seen of the task, after y', async () => {
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

	it('shows what the final gate would merge, and names that tree', async () => {
		driver = await drive();
		driver.press('j', 'a');
		await driver.settled();
		expect(driver.screen()).toContain('Approve final gate · Fix flaky upload test');
		expect(driver.screen()).toContain('into main: 3 files +58 -4');
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

	it('says that it is under way until it is over, and does not quit before', async () => {
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
		expect(driver.screen()).toContain('Quit when that is over');
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

	it('shows the newest proposal and the word of the guard on it', async () => {
		driver = await drive();
		driver.press('a');
		expect(driver.screen()).toContain('proposal 40 · ✓ passed: diff ok');
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

	it('says above the diff and before the merge what was planted in git, and what to do', async () => {
		const planted = ['filter.evil.clean', 'hooks/pre-commit'];
		const preview = async () => accepted({...fixturePreview, planted});
		driver = await drive({columns: 80, rows: 24}, {preview});
		driver.press('3');
		await driver.settled();
		expect(driver.screen()).toContain('git would run planted programs; look, then "hive init": filter.evil');
		driver.press('j', 'a');
		await driver.settled();
		expect(driver.screen()).toContain('hooks/pre-commit');
		expect(driver.screen()).toContain('[ y Merge ]');
	});

	it('says before the merge what hive warns of about the runs, and counts those beyond three', async () => {
		const warnings = ['no network', 'two', 'three', 'four', 'five'];
		driver = await drive({columns: 80, rows: 24});
		const gate = buildTask('_review', {review: 'final', status: 'waiting_review', bee: ''});
		const run = buildRun('r', {bee: 'maker', status: 'completed', warnings});
		driver.tell.update({traces: mapOf(buildTrace('t', {tasks: [gate], runs: [run]})), events: []});
		await driver.settled();
		driver.press('a');
		await driver.settled();
		expect(driver.screen()).toContain('! maker: no network');
		expect(driver.screen()).toContain('! and 2 more: hive proposal list');
		expect(driver.screen()).toContain('[ y Merge ]');
	});

	it('says how many unsaved files the merge changes too, and keeps', async () => {
		driver = await drive();
		driver.press('j', 'a');
		await driver.settled();
		expect(driver.screen()).toContain('merge clean ✓  2 unsaved files of yours kept on top ✓');
	});

	it('names what the merge would be refused for, and offers no merge', async () => {
		const screens: string[] = [];
		for (const found of [{unsaved: ['notes.md']}, {conflicts: ['notes.md']}, {notTaken: ['notes.md']}]) {
			driver = await drive(undefined, {preview: async () => accepted({...fixturePreview, ...found})});
			driver.press('j', 'a');
			await driver.settled();
			expect(driver.screen()).toContain('notes.md');
			expect(driver.screen()).not.toContain('merge clean');
			expect(driver.screen()).not.toContain('y Merge');
			screens.push(driver.screen());
		}
		expect(screens.map(screen => screen.includes('b Leave on branch'))).toEqual([true, true, false]);
		expect(screens[1]).toContain('u merges main into the work; a bee reworks what conflicts.');
	});

	it('says why when what would be merged cannot be read', async () => {
		const message = 'git cannot be started.';
		const preview = () => Promise.reject(new HiveError('internal', {message}));
		driver = await drive(undefined, {preview});
		driver.press('j', 'a');
		await driver.settled();
		expect(driver.screen()).toContain(message);
		expect(driver.screen()).not.toContain('y Merge');
	});

	it('keeps a dialog that is answered while the bus is down, with what was typed', async () => {
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

	it('offers only Cancel when the merge would conflict', async () => {
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

	it('ignores keys of the first moment, and what is pasted', async () => {
		driver = await drive();
		driver.press('a', 'y');
		driver.wait(300);
		driver.paste('y');
		expect(driver.asked).toEqual([]);
		expect(driver.store.getState().mode.kind).toBe('form');
	});

	it('keeps its subject while the world moves on', async () => {
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
		expect(driver.screen()).toContain('It changed since you looked.');
		driver.press('j');
		expect(driver.screen()).not.toContain('It changed since you looked.');
	});
});

const worldWith = (trace: Trace): Partial<World> => ({
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
	it('has one row for each cause, acted on from there, until it ends', async () => {
		const failed = buildTask('a', {status: 'failed', summary: 'no disk', title: 'Write to disk'});
		driver = await drive();
		driver.tell.update({traces: mapOf(buildTrace('t', {title: 'Disks', tasks: [failed]})), events: []});
		driver.tell.survey({held: new Map(), problems: [{path: 'bees/a.yaml', message: 'no adapter'}]});
		await driver.store.settled();
		driver.press('3');
		expect(driver.screen()).toContain('[3 Review(2)]');
		expect(driver.screen()).toMatch(/>Write to disk +failed/);
		expect(driver.screen()).toMatch(/bees\/a.yaml +config/);
		expect(driver.screen()).toContain('It failed: no disk');
		expect(driver.screen()).toMatch(/│ t retry {2}: cancel task {2}K kill +│/);
		driver.press('t');
		await driver.settled();
		expect(driver.asked.map(({action}) => action)).toEqual(['task.retry']);
		driver.tell.update({traces: mapOf(buildTrace('t', {tasks: [{...failed, status: 'ready'}]})), events: []});
		await driver.store.settled();
		expect(driver.screen()).toContain('[3 Review(1)]');
	});

	it('opens a broken file of the configuration in the editor, from its row and from what is said of it', async () => {
		const edited: string[] = [];
		driver = await drive(undefined, {editFile: async file => void edited.push(file)});
		const problems = [{path: '.hive/bees/a.yaml:2', message: 'no adapter'}];
		driver.tell.survey({held: new Map(), problems});
		await driver.store.settled();
		driver.press('3', 'G', 'enter');
		await driver.settled();
		expect(driver.screen()).toContain('Enter opens the file in your editor');
		driver.press('tab', 'enter');
		await driver.settled();
		expect(edited).toEqual(['.hive/bees/a.yaml', '.hive/bees/a.yaml']);
	});
});

describe('reviews that are marked', () => {
	const gate = (traceId: string) =>
		buildTrace(traceId, {
			title: `Work of ${traceId}`,
			tasks: [buildTask('_review', {review: 'final', status: 'waiting_review', bee: ''})],
		});
	const open = async (refused: string, conflicting: readonly string[] = []) => {
		const approved: unknown[] = [];
		driver = await drive(
			{columns: 120, rows: 36},
			{
				preview: async ({traceId}) =>
					accepted({...fixturePreview, conflicts: conflicting.includes(traceId) ? ['a.ts'] : []}),
				act: async (id, input) => {
					approved.push(id === 'proposal.approve' ? input.traceId : `${id} ${input.traceId}`);
					return input.traceId === refused ? refuse('merge_conflict') : accepted({said: `${id} done`});
				},
			},
		);
		driver.tell.update({traces: mapOf(gate('t1'), gate('t2'), gate('t3')), events: []});
		const overlaps = (['t3', 'other'] as const).map(id => ({
			...{traceIds: ['t1', id] as const, paths: ['a.ts']},
		}));
		driver.tell.clashes({conflicts: new Map(), overlaps});
		await driver.store.settled();
		driver.press('3', 'space', 'space', 'space', 'a');
		await driver.settled();
		return approved;
	};

	it('are approved one after the other, after one look at what each would merge', async () => {
		const approved = await open('');
		expect(driver.screen()).toContain('Inbox 3 of 3 · 3 marked');
		expect(driver.screen()).toContain('Approve 3 marked tasks');
		expect(driver.screen()).toContain('✓ Work of t2: 3 files +58 -4');
		expect(driver.screen()).toContain('≈ Work of t1 and Work of t3 change the same lines: the second');
		driver.wait(300);
		driver.press('y');
		await driver.settled();
		expect(approved).toEqual(['t1', 't2', 't3']);
		expect(driver.screen()).toContain('Approved all 3 tasks.');
	});

	it('stop at the first that is refused, and say how far they came', async () => {
		const approved = await open('t2');
		driver.wait(300);
		driver.press('y');
		await driver.settled();
		expect(approved).toEqual(['t1', 't2']);
		expect(driver.screen()).toContain('Approved 1 of 3, and stopped at Work of t2');
	});

	it('are updated instead, those that conflict with their base', async () => {
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

it('offers to update the work where its merge would conflict, and says in what before all else', async () => {
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
	await driver.store.settled();
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

	it('leads the queue, the longest waiting first, and shows what it is about', async () => {
		await open();
		const rows = driver.screen().match(/(?<=^│[ >])\S.*?(?= *\d+[mh]│)/gm);
		expect(rows?.map(row => row.replaceAll(/ +/g, ' '))).toEqual([
			'Which colours? · drone · grill… invite',
			'Talk about newer · drone invite',
			'Work on schema required',
			'Which name? · drone deferred',
		]);
		for (const words of ['Invite older', 'drone · grilling', 'about notes.md', 'And when?'])
			expect(driver.screen()).toContain(words);
		driver.press('j');
		await driver.settled();
		expect(driver.screen()).toContain('Invite newer');
		driver.press('j');
		await driver.settled();
		expect(driver.screen()).toContain('Diff schema');
	});

	it('is accepted with Enter and y, and its session has the keyboard as soon as it is there', async () => {
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

	it('is rejected with x, or put off until later', async () => {
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

	it('can be accepted though it was put off, and rejected, not put off again', async () => {
		await open();
		driver.press('end');
		await driver.settled();
		expect(driver.screen()).toContain('Invite later');
		expect(driver.screen()).toContain('It was put off until later.');
		expect(driver.screen()).toContain('Enter accepts it; x says no.');
		driver.press('x');
		await driver.settled();
		expect(driver.screen()).toContain('x Reject');
		expect(driver.screen()).not.toContain('l Later');
	});

	it('has keys that say what they do to it, in the footer and in the help', async () => {
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

	it('is accepted by Enter also where it is read, which is no text with hunks', async () => {
		await open();
		driver.press('tab');
		await driver.settled();
		expect(driver.screen()).not.toContain('hunk');
		driver.press('enter');
		await driver.settled();
		expect(driver.screen()).toContain('Accept the invite to drone');
	});

	it('is copied as the command that accepts it, and found by what it is about', async () => {
		await open();
		driver.press('Y');
		expect(driver.screen()).toContain('Copied: hive invite accept older');
		driver.press('/');
		driver.type('colours');
		driver.press('enter');
		await driver.settled();
		expect(driver.screen()).not.toContain('schema');
		expect(driver.screen()).toContain('Invite older');
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

/** A task whose own run is over, and who looks at what that proposed. */
const proposedBy = (change: Partial<Task>, attendants: readonly RunRecord[] = [reviewing]) =>
	buildTrace('t', {
		tasks: [buildTask('schema', {agentId: 'r', proposal: taskProposal, ...change})],
		runs: [buildRun('r', {taskId: 'schema', status: 'completed'}), ...attendants],
	});
const atGuard = proposedBy({status: 'running', review: 'required'});
const atCommitGate = proposedBy({status: 'waiting_review'});

describe('what a bee has still to look at', () => {
	it('is shown as such, and calls for nobody', async () => {
		driver = await drive(undefined, worldWith(atGuard));
		expect(driver.screen()).toContain('▶ guard running');
		expect(driver.screen()).toContain('reviewer at work');
		expect(driver.screen()).toContain('Its guard reviewer still runs (77aa');
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

	it('says what keeps its guard from beginning', async () => {
		const waits: World['waits'] = async () => [{for: 'honey', what: 'the honey reserve is exhausted'}];
		const trace = proposedBy({status: 'running', review: 'required'}, []);
		driver = await drive(undefined, {...worldWith(trace), waits});
		driver.press('tab');
		await driver.settled();
		expect(driver.screen()).toContain('A bee has still to look at it.');
		expect(driver.screen()).toContain('waits: honey: the honey reserve is exhausted');
	});

	it('is approved without its guard only by choice, and not by Enter', async () => {
		driver = await drive(undefined, worldWith(atGuard));
		driver.press('a');
		expect(driver.screen()).toContain('Its guard reviewer still runs (77aa02bb00bb11cc).');
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

	it('is approved at a commit gate like any other, with a word about its guard', async () => {
		driver = await drive(undefined, worldWith(atCommitGate));
		driver.press('a');
		expect(driver.screen()).toContain('Its guard reviewer still runs (77aa02bb00bb11cc).');
		driver.wait(300);
		driver.press('y');
		await driver.settled();
		expect(driver.asked[0]).toMatchObject({action: 'proposal.approve', input: {taskId: 'schema'}});
		expect(driver.asked[0]?.input).not.toHaveProperty('withoutGuard');
	});

	it('starts over without a word of stopping its run, which is over', async () => {
		driver = await drive(undefined, worldWith(atGuard));
		driver.press('t');
		expect(driver.screen()).toContain('It starts over when that is over.');
		expect(driver.screen()).not.toContain('stops agent');
	});
});

describe('rejecting', () => {
	it('needs no words', async () => {
		driver = await drive();
		driver.press('x');
		driver.wait(300);
		driver.press('ctrl+d');
		await driver.settled();
		expect(driver.asked).toMatchObject([{action: 'proposal.reject'}]);
	});

	it('takes words, edited with readline keys', async () => {
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

describe('killing', () => {
	it('takes K and y, and names the trace by its title', async () => {
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

	it('takes a reason where one is written, and no y of it for a yes', async () => {
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

describe('other acts', () => {
	it('adds the honey that was chosen', async () => {
		driver = await drive();
		driver.press('+');
		driver.wait(300);
		driver.press('right', 'enter');
		await driver.settled();
		expect(driver.asked[0]).toEqual({action: 'energy.add', input: {traceId: oauth, amount: 12}});
	});

	it('offers to raise what the trace has a limit of, first what there is no more of', async () => {
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

	it('asks before it retries what runs', async () => {
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

	it('repeats the look of a guard that failed, or sends the task back with words', async () => {
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

	it('says what a task without a run waits for, as it is asked of the colony', async () => {
		driver = await drive();
		driver.press('tab');
		driver.press('end');
		driver.press('up');
		await driver.settled();
		expect(driver.screen()).toContain('It waits for');
		expect(driver.screen()).toContain('what docs needs');
	});

	it('asks for what an action takes that has no dialog of its own, and freezes its subject', async () => {
		driver = await drive();
		driver.press(':');
		driver.type('purge');
		driver.press('enter');
		expect(driver.screen()).toContain(`purge · `);
		expect(driver.screen()).toContain('The trace id again');
		driver.wait(300);
		driver.type(oauth);
		driver.press('enter');
		await driver.settled();
		expect(driver.asked[0]).toMatchObject({action: 'purge', input: {traceId: oauth, confirm: oauth}});
	});

	it('repeats the look of a guard that failed at a completed task, until a gate takes the work', async () => {
		const done = buildTask('schema', {status: 'completed', proposal: taskProposal});
		const runs = [...guardFailed.runs.values()];
		driver = await drive(undefined, worldWith(buildTrace('t', {tasks: [done], runs})));
		driver.press('t');
		expect(driver.screen()).toContain('It stays completed: guard, whose run failed, looks at it again.');
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

	it('sends what waits for a commit back only with words', async () => {
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

	it('answers a question with one of its options, or with words, and shows what the agent said', async () => {
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

	it('takes one answer in words for several questions', async () => {
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

	it('accepts work that changed nothing as done, or sends it back with words', async () => {
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

	it('names the tasks that start after the merge of a gate', async () => {
		const gate = buildTask('gate', {review: 'final', status: 'waiting_review', bee: ''});
		const after = ['Deploy', 'Check', 'Tell', 'Tidy'].map((title, index, titles) =>
			buildTask(title, {title, dependsOn: [titles[index - 1] ?? 'gate']}),
		);
		driver = await drive(undefined, worldWith(buildTrace('t', {tasks: [gate, ...after]})));
		driver.press('3', 'a');
		await driver.settled();
		expect(driver.screen()).toContain('Starts after the merge: Deploy, Check, Tell and 1 more.');
	});

	it('answers a run that no task shows, from its row and from its trace', async () => {
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

	it('cancels one task through the palette, and says what goes with it', async () => {
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

	it('sets what the cues are for below each other', async () => {
		driver = await drive();
		driver.press('c');
		const notes = driver.screen().match(/^.*\([• ]\) \S+ +(?=\S)/gm) ?? [];
		expect(notes.length).toBeGreaterThan(1);
		expect(new Set(notes.map(text => text.length)).size).toBe(1);
	});

	it('runs the chosen cue', async () => {
		driver = await drive();
		driver.press('c');
		driver.wait(300);
		driver.type('dark mode');
		driver.press('tab', 'right', 'enter');
		await driver.settled();
		expect(driver.asked[0]).toEqual({action: 'cue.run', input: {cueId: 'hotfix', text: 'dark mode'}});
	});

	it('asks what becomes of the bees before the reactor quits', async () => {
		driver = await drive();
		driver.press('q');
		expect(driver.ended).toEqual([]);
		driver.wait(300);
		driver.press('s');
		await driver.settled();
		expect(driver.ended).toEqual([{exitCode: 0, bees: 'stop'}]);
	});

	it('quits at once where another process is the reactor', async () => {
		driver = await drive(undefined, {
			status: (_signal, call) => call({reactor: 'elsewhere', bus: {state: 'live'}, places: []}),
		});
		driver.press('q');
		expect(driver.ended).toEqual([{exitCode: 0, bees: 'leave'}]);
	});

	it('ends at the second Ctrl+C within three seconds', async () => {
		driver = await drive();
		driver.press('ctrl+c');
		expect(driver.ended).toEqual([]);
		driver.wait(1000);
		driver.press('ctrl+c');
		expect(driver.ended).toEqual([{exitCode: 130, bees: 'leave'}]);
	});
});

describe('looking around', () => {
	it('says when the pager or the editor cannot be opened, and keeps what was typed', async () => {
		const fails = (program: string) => () =>
			Promise.reject(new HiveError('internal', {message: `The ${program} could not be opened.`}));
		driver = await drive(undefined, {openPager: fails('pager'), edit: fails('editor')});
		driver.press('3', 'tab', 'o');
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

	it('shows what goes wrong outside until a key is pressed', async () => {
		driver = await drive();
		driver.tell.complaint('The reactor was ended by SIGKILL; it is started again.');
		await driver.settled();
		driver.wait(60_000);
		expect(driver.screen()).toContain('✗ The reactor was ended by SIGKILL');
		driver.press('j');
		expect(driver.screen()).not.toContain('SIGKILL');
	});

	it('copies the id and the command of what is selected', async () => {
		driver = await drive();
		driver.press('y', 'tab', 'Y');
		expect(driver.copied).toEqual([oauth, `hive proposal approve --trace ${oauth} --task db-migration`]);
	});

	it('filters a list while typing and clears it with Esc', async () => {
		driver = await drive();
		driver.press('/');
		driver.type('bump');
		expect(driver.screen()).toContain('Traces 1 of 1 · /bump');
		driver.press('esc');
		expect(driver.screen()).toContain('Traces 4 of 4 ');
	});

	it('runs an action by name from the palette', async () => {
		driver = await drive();
		driver.press(':');
		driver.type('honey');
		driver.press('enter');
		expect(driver.screen()).toContain('Honey for Add OAuth login');
	});

	it('keeps the selection on its trace when others arrive', async () => {
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

	it('follows the log, lets go when scrolled up, and returns with End', async () => {
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

	it('has the time beside each line of a log where it is wide, and words alone where it is not', async () => {
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

	it('shows standard error in the place of the log and back, and of another run its output first', async () => {
		driver = await drive();
		driver.press('tab', 'k', 'tab', 'tab', 'e');
		await driver.settled();
		expect(driver.screen()).toContain('5d2f91aa00bb11cc · stderr');
		expect(driver.screen()).toContain('a warning');
		expect(driver.screen()).not.toContain('reading src/auth');
		driver.press('e');
		await driver.settled();
		expect(driver.screen()).toContain('reading src/auth');
		expect(driver.screen()).not.toContain('a warning');
		driver.press('e', 'shift+tab', 'j');
		await driver.settled();
		expect(driver.screen()).toContain('19aa02bb00bb11cc · stdout');
		expect(driver.screen()).toContain('done');
	});

	it('wraps lines of a log beside their time, and leaves the time of what none is known of empty', async () => {
		vi.stubEnv('TZ', 'UTC');
		driver = await drive({columns: 100, rows: 24});
		driver.press('tab', 'k', 'tab', 'tab', 'w');
		driver.tell.log(`${'x'.repeat(88)}yz\n`);
		await driver.settled();
		expect(driver.screen()).toContain('│14:02:09 $ npm test -- login');
		expect(driver.screen()).toContain(`│${' '.repeat(9)}${'x'.repeat(88)} │`);
		expect(driver.screen()).toContain(`│${' '.repeat(9)}yz`);
	});

	it('counts what arrives while the events are paused', async () => {
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
		driver.press('3', 'tab');
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

	it('keeps what it said in the Events tab', async () => {
		driver = await drive();
		driver.press('m', '4');
		expect(driver.screen()).toMatch(/said here +Mouse on; hold Shift/);
		driver.press('enter');
		expect(driver.screen()).toContain('Said by the dashboard');
	});

	it('shows a long refusal whole, and that the bus is down beside it', async () => {
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
	])('says that the folder is gone and what to do, whole, at $columns x $rows', async size => {
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

	it('finds the next and the previous match in a log, around its end', async () => {
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

	it('says when nothing matches', async () => {
		driver = await drive();
		driver.press('3', 'tab', '/');
		await driver.settled();
		driver.type('nowhere to be found');
		driver.press('enter');
		expect(driver.screen()).toContain('"nowhere to be found" is nowhere in here.');
	});

	it('shows old and new side by side where it is wide, and jumps there all the same', async () => {
		driver = await drive({columns: 160, rows: 30});
		driver.press('3', 'tab');
		await driver.settled();
		expect(driver.screen()).toMatch(/- {2}add column oauth text; +│ *2 \+ {2}add column oauth_id text;/);
		driver.press('}');
		expect(driver.screen()).toContain('file 2/3');
	});

	it('gives what is copied to the terminal and to this machine', async () => {
		const given: string[] = [];
		driver = await drive(undefined, {copy: text => void given.push(text)});
		driver.press('y');
		expect(given).toEqual([oauth]);
		expect(driver.copied).toEqual([oauth]);
	});

	it('shows an event whole', async () => {
		driver = await drive();
		driver.press('4', 'enter');
		expect(driver.screen()).toContain('"kind": "task.status"');
	});
});
