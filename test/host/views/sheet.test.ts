import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import type {NewEvent} from '../../../source/domain/event.ts';
import type {Trace} from '../../../source/domain/trace.ts';
import {failingLines} from '../../../source/host/views/failing-lines.ts';
import {formatAge} from '../../../source/host/views/format-age.ts';
import {type SheetFacts, sheetOf, taskOfSheet, taskToDecide} from '../../../source/host/views/sheet.ts';
import {type SheetBlock, sheetBlocks} from '../../../source/host/views/sheet-lines.ts';
import {landingQueue} from '../../../source/ledger/landing-queue.ts';
import {applyEvents} from '../../../source/ledger/reduce.ts';
import {
	claimOf,
	completedOf,
	createEvent,
	finishOf,
	item,
	planOf,
	proposalOf,
	readyOf,
	reduceAll,
	reduceLater,
	statusOf,
	wholeProposal,
} from '../../helpers/events.ts';

const now = Date.UTC(2026, 0, 1, 0, 10);
const tree = (letter: string): string => letter.repeat(40);

const request = (fields: object): NewEvent =>
	createEvent('SIGNAL', {kind: 'feature.requested', ...fields}, {agentId: 'cli', energyBudget: 12});

const finish = (agentId: string, summary: string, fields: object = {}): NewEvent => {
	const {payload, ...event} = finishOf(agentId, 'completed', summary);
	return {...event, payload: {...payload, ...fields}};
};

const gate = {...item('_review'), review: 'final'} as const;
const opened = [planOf(gate), statusOf('_review', 'waiting_review')];

/** A trace whose one task is done, at its final review. */
const done = (summary: string, fields: object = {}): NewEvent[] => [
	planOf(item('a')),
	claimOf('r', 'a', {workspace: 'isolated'}),
	proposalOf('r', 'a'),
	finish('r', summary, fields),
	completedOf('a'),
	...opened,
];

const sheetFrom = (events: readonly NewEvent[], facts?: SheetFacts) => {
	const trace = reduceAll(...events);
	return sheetOf(trace, taskToDecide(trace), facts);
};
const blockOf = (id: SheetBlock['id'], events: readonly NewEvent[], facts?: SheetFacts) =>
	sheetBlocks(sheetFrom(events, facts), now).find(block => block.id === id)?.lines ?? [];

const landing = (letter: string): SheetFacts => ({
	lands: {
		branch: 'main',
		strategy: 'merge',
		message: 'A limit',
		signed: false,
		push: 'none',
		onApprove: null,
		tree: tree(letter),
	},
});

describe('the sheet of a final review', () => {
	test('has the words of the request, of which three lines are shown', () => {
		const asked = request({title: 'Limit requests', body: 'Limit requests\nto 100\na minute\nper client'});
		expect(sheetFrom([asked, ...done('')]).request).toMatchObject({title: 'Limit requests'});
		expect(blockOf('request', [asked, ...done('')])).toEqual([
			{
				tone: 'plain',
				text: 'Limit requests\nto 100\na minute',
				more: 'Limit requests\nto 100\na minute\nper client',
			},
		]);
	});

	test('without a request has the words of the first task', () => {
		expect(sheetFrom(done('')).request).toEqual({title: 'Title of a', body: '', truncated: false});
	});

	test('quotes the last words of an agent without a mark', () => {
		expect(blockOf('tasks', done('One test fails.\nI think it failed before.'))).toEqual([
			{tone: 'plain', about: 'Title of a', text: '"One test fails.\nI think it failed before."'},
		]);
	});

	test('marks a task whose run changed nothing, and whose tool calls failed or were denied', () => {
		const trees = {before: tree('b'), after: tree('b')};
		const toolTrouble = {failed: 1, denied: 2, last: 'Bash npm test: exit 1'};
		const [line] = blockOf('tasks', done('Done.', {trees, toolTrouble}));
		expect(line).toMatchObject({
			tone: 'warn',
			text: 'changed nothing · "Done." · 2 calls denied · 1 call failed, the last: Bash npm test: exit 1',
		});
	});

	test('marks a task that failed before', () => {
		const events = [
			planOf(item('a')),
			claimOf('r', 'a'),
			finishOf('r', 'failed', 'no key'),
			readyOf('a'),
			claimOf('s', 'a'),
			proposalOf('s', 'a'),
			finish('s', 'Done.'),
			completedOf('a'),
			...opened,
		];
		expect(blockOf('tasks', events)).toMatchObject([{text: '"Done." · retried after 1 failed run'}]);
	});

	test('says whether it merges cleanly', () => {
		const clean = blockOf('lands', done(''), landing('a'));
		expect(clean).toMatchObject([{text: 'main, merges cleanly, merge commit "A limit"'}]);
		const {lands} = landing('a');
		const conflicting = blockOf('lands', done(''), {...(lands && {lands: {...lands, tree: ''}})});
		expect(conflicting).toMatchObject([{text: 'main, conflicts, merge commit "A limit"'}]);
	});

	test.each([
		['squash', 'one commit "A limit"'],
		['rebase', 'each commit; only the last is checked'],
	] as const)('says what a %s puts on the base', (strategy, text) => {
		const {lands} = landing('a');
		const shown = blockOf('lands', done(''), {...(lands && {lands: {...lands, strategy}})});
		expect(shown).toMatchObject([{text: `main, merges cleanly, ${text}`}]);
	});

	test('joins equal verdicts of several tasks, and names the tasks only if others differ', () => {
		const sheet = sheetFrom(done(''));
		const guard = {
			taskId: 'a',
			title: 'A',
			bee: 'guard',
			verdict: 'passed',
			said: 'Fine.',
			older: false,
		} as const;
		const linesOf = (...said: readonly string[]) =>
			sheetBlocks(
				{...sheet, guards: said.map((words, at) => ({...guard, title: `Task ${at}`, said: words, now: []}))},
				now,
			).find(({id}) => id === 'guards')?.lines;
		expect(linesOf('Fine.', 'Fine.')).toEqual([{tone: 'good', text: 'guard: "Fine."'}]);
		expect(linesOf('Fine.', 'Fine.', 'Good.')).toEqual([
			{tone: 'good', about: 'Task 0, Task 1', text: 'guard: "Fine."'},
			{tone: 'good', about: 'Task 2', text: 'guard: "Good."'},
		]);
	});

	test('shows ages that change once a minute at most', () => {
		const texts = [30, 59, 90, 119, 7200].map(seconds => formatAge(seconds * 1000));
		expect(texts).toEqual(['under a minute', 'under a minute', '1 min', '1 min', '2 h']);
	});

	test('says that no checks ran, and that no guard judged the work', () => {
		expect(blockOf('checks', done(''))).toEqual([{tone: 'warn', text: 'No checks ran.'}]);
		expect(blockOf('guards', done(''))).toEqual([{tone: 'dim', text: 'No guard has judged the work.'}]);
		expect(blockOf('outside', done(''))).toEqual([{tone: 'dim', text: 'nothing'}]);
	});

	test('puts what is bad first in each block', () => {
		const facts: SheetFacts = {
			changes: {
				...{files: [{path: 'a', added: 2, removed: 1}], added: 2, removed: 1},
				...{problems: ['It conflicts.'], warnings: ['Hidden characters.']},
			},
		};
		expect(blockOf('changes', done(''), facts).map(({tone}) => tone)).toEqual(['bad', 'warn', 'plain']);
	});

	test('names runs that a limit does not count beside the cost, not as a change outside', () => {
		const warnings = [
			'max_cost does not count this run: its tool reports no cost and no model',
			'files in its own /tmp were thrown away: probe',
		];
		expect(blockOf('cost', done('', {warnings}))).toEqual([
			{
				...{tone: 'warn', text: '1 run, 2 s; max_cost does not count builder'},
				more: `1 run, 2 s\nbuilder: ${warnings[0]}`,
			},
		]);
		expect(blockOf('outside', done('', {warnings})).map(({text}) => text)).toEqual([warnings[1]]);
	});

	test('says why a part is not known', () => {
		const facts: SheetFacts = {missing: {changes: 'The work is on another machine.'}};
		expect(blockOf('changes', done(''), facts)).toEqual([
			{tone: 'warn', text: 'The work is on another machine.'},
		]);
	});
});

describe('the second round of a sheet', () => {
	const feedback = {kind: 'human.feedback', taskId: 'x', gate: '_review', message: 'Make it shorter'};
	const trees = (before: string, after: string) => ({trees: {before: tree(before), after: tree(after)}});
	const second = (after: string): NewEvent[] => [
		...done('', trees('a', 'b')),
		planOf(item('x')),
		createEvent('INSIGHT', feedback, {agentId: 'cli'}),
		claimOf('s', 'x', {workspace: 'isolated'}),
		finish('s', '', trees('b', after)),
		completedOf('x'),
		statusOf('_review', 'waiting_review'),
	];

	test('names the comments that no change touched', () => {
		const comments = [
			{path: 'limit.ts', line: 41, text: 'Why 100?', state: 'untouched'},
			{path: 'limit.ts', line: 3, text: 'Name it', state: 'addressed'},
		] as const;
		const lines = blockOf('round', second('c'), {rework: {asked: 'Make it shorter', comments}});
		expect(lines.map(({tone, text}) => `${tone}: ${text}`)).toEqual([
			'warn: you wrote 2 comments: 1 addressed, 1 untouched',
			'warn: untouched: limit.ts, line 41: "Why 100?"',
			'plain: you asked: "Make it shorter"',
		]);
	});

	test('says first that nothing changed since the round before', () => {
		expect(blockOf('round', second('b'))[0]).toEqual({
			tone: 'bad',
			text: 'nothing changed since round 1',
		});
	});

	test('knows the work although the last run, a guard, left no trees', () => {
		const guarded = (after: string): NewEvent[] => [
			...second(after),
			claimOf('g', 'x', {workspace: 'isolated', bee: 'guard', trigger: 1}),
			finish('g', 'Fine.'),
		];
		expect(blockOf('round', guarded('b'))[0]?.text).toBe('nothing changed since round 1');
		expect(blockOf('round', guarded('c'))[0]?.text).toBe('you asked: "Make it shorter"');
	});
});

/** A trace whose task was verified, at its final review. The proposal has the tree `a`. */
const verified = (status: 'completed' | 'failed', output = 'out'): Trace => {
	const begun = reduceAll(planOf(item('a')), claimOf('r', 'a', {workspace: 'isolated'}));
	const proposed = applyEvents(begun, [wholeProposal(begun, 'r', 'optional')]).trace;
	const trigger = proposed.tasks.get('a')?.proposal?.sequence ?? 0;
	return reduceLater(
		proposed,
		claimOf('v', 'a', {bee: 'hive.verify', verifies: 'builder', trigger}),
		finish('r', ''),
		createEvent('SIGNAL', {
			...{kind: 'run.finished', agentId: 'v', bee: 'hive.verify', taskId: 'a', status},
			...{exitCode: 1, summary: 'npm test (exit 1)', evidence: {ran: true, output, seconds: 12}},
		}),
		completedOf('a'),
		...opened,
	);
};
const checkOf = (trace: Trace, facts?: SheetFacts) =>
	sheetBlocks(sheetOf(trace, taskToDecide(trace), facts), now).find(({id}) => id === 'checks')?.lines[0];

describe('a check on a sheet', () => {
	test('is good only if it passed on the tree that lands', () => {
		const trace = verified('completed');
		expect(checkOf(trace, landing('a'))).toMatchObject({
			tone: 'good',
			text: expect.stringContaining('on the tree that lands'),
		});
		expect(checkOf(trace, landing('f'))).toMatchObject({
			tone: 'warn',
			text: expect.stringContaining('the merge is not checked yet'),
		});
		expect(checkOf(trace)).toMatchObject({tone: 'plain', text: expect.stringContaining('on the proposal')});
	});

	test('that failed has the lines of its output that name the failure', () => {
		expect(checkOf(verified('failed', 'ok 1\nnot ok 2 - sets Retry-After'))).toMatchObject({
			tone: 'bad',
			below: ['not ok 2 - sets Retry-After'],
			more: 'ok 1\nnot ok 2 - sets Retry-After',
		});
	});
});

const notChecked = {state: 'not_checked', summary: '', at: '', agentId: '', output: ''} as const;
const passedOn = {
	state: 'passed',
	summary: 'npm test',
	at: '2026-01-01T00:09:00.000Z',
	agentId: 'w',
	output: '',
} as const;

describe('the check of what lands', () => {
	const checksWith = (trace: Trace, facts: SheetFacts) =>
		sheetBlocks(sheetOf(trace, taskToDecide(trace), facts), now).find(({id}) => id === 'checks')?.lines ?? [];

	test('is not green while the merge is not checked, whatever passed on the proposal', () => {
		expect(checksWith(verified('completed'), {...landing('f'), mergeCheck: notChecked})).toEqual([
			expect.objectContaining({
				tone: 'warn',
				text: expect.stringMatching(/on the proposal.*; the merge with main is not checked yet$/),
			}),
		]);
		expect(checksWith(reduceAll(...done('')), {...landing('f'), mergeCheck: notChecked})).toEqual([
			{tone: 'warn', text: 'The merge with main is not checked yet.'},
		]);
	});

	test('is green if the very tree passed it, whichever run checked it', () => {
		expect(checksWith(reduceAll(...done('')), {...landing('f'), mergeCheck: passedOn})).toEqual([
			{tone: 'good', text: 'npm test passed on the tree that lands, 1 min ago'},
		]);
	});

	test('is red if that tree failed it', () => {
		const failed = {...passedOn, state: 'failed', summary: 'npm test (exit 1)'} as const;
		expect(checksWith(reduceAll(...done('')), {...landing('f'), mergeCheck: failed})).toEqual([
			{tone: 'bad', text: 'npm test (exit 1) on the tree that lands, 1 min ago'},
		]);
	});

	test('says that no checks ran on the result if none is required', () => {
		const mergeCheck = {...notChecked, state: 'not_required'} as const;
		expect(checksWith(reduceAll(...done('')), {...landing('f'), mergeCheck})).toEqual([
			{tone: 'warn', text: 'No checks ran on the result.'},
		]);
		expect(checksWith(verified('completed'), {...landing('f'), mergeCheck})).toEqual([
			expect.objectContaining({
				tone: 'warn',
				text: expect.stringMatching(/on the proposal.*; no checks ran on the result$/),
			}),
		]);
	});

	test('is not known while another merge lands first', () => {
		const other = {...reduceAll(...done(''), requested), traceId: 'other'};
		const facts = {...landing('a'), mergeCheck: passedOn, queue: landingQueue([other])};
		expect(checksWith(verified('completed'), facts)).toMatchObject([{tone: 'warn'}]);
		expect(sheetOf(verified('completed'), undefined, facts).checks).toMatchObject([{lands: null}]);
	});
});

const requested = createEvent(
	'SIGNAL',
	{
		...{kind: 'landing.requested', taskId: '_review', tree: tree('f'), work: tree('a'), base: 'main'},
		...{by: 'cli', strategy: 'merge'},
	},
	{agentId: 'cli'},
);

const firstOf = (event: NewEvent): NewEvent => ({...event, payload: {...event.payload, first: true}});

describe('the landing on a sheet', () => {
	const linesOf = (trace: Trace, facts?: SheetFacts) =>
		sheetBlocks(sheetOf(trace, taskOfSheet(trace), facts), undefined).find(({id}) => id === 'landing')?.lines;

	test('has its position and what it waits for', () => {
		const trace = reduceAll(...done(''), requested);
		const first = {...reduceAll(...done(''), firstOf(requested)), traceId: 'first'};
		const queue = landingQueue([trace, first]);
		expect(linesOf(trace, {queue})).toEqual([
			{tone: 'plain', text: 'number 2 in the landing queue of main: it waits for its checks'},
		]);
		expect(sheetOf(trace, taskOfSheet(trace), {queue})).toMatchObject({
			...{gate: '', taskId: '_review', left: null},
			landing: {state: 'waiting', position: 2, since: trace.landing?.at, base: 'main', check: null},
		});
		expect(linesOf(reduceAll(...done('')))).toBeUndefined();
	});

	test('that failed is red, with the output of its check', () => {
		const left = createEvent('SIGNAL', {
			...{kind: 'landing.left', taskId: '_review', reason: 'The checks failed on the merge with main.'},
		});
		const trace = reduceAll(...done(''), requested, left);
		expect(linesOf(trace, {failedOutput: 'not ok 1 - greets'})).toEqual([
			{
				tone: 'bad',
				text: 'Did not land: The checks failed on the merge with main.',
				below: ['not ok 1 - greets'],
				more: 'not ok 1 - greets',
			},
		]);
		expect(linesOf(reduceLater(trace, requested))).toMatchObject([{tone: 'plain'}]);
	});

	test('names who merged without checks, and why', () => {
		const trace = {
			...reduceAll(...done('')),
			landed: [
				{
					...{taskId: '_review', tree: tree('f'), commit: 'c', base: 'main', by: 'cli', sequence: 9},
					withoutChecks: {reason: 'The checks are down.'},
				},
			],
		};
		expect(linesOf(trace)).toEqual([
			{tone: 'warn', text: 'Merged without checks by a person at the terminal: The checks are down.'},
		]);
	});

	test('says where the merge is, and that nothing is left to merge', () => {
		const landed = [
			{taskId: '_review', tree: tree('f'), commit: tree('c'), base: 'main', by: 'cli', sequence: 9},
		];
		const trace = {...reduceAll(...done(''), completedOf('_review')), landed};
		const changes = {files: [], added: 0, removed: 0, problems: [], warnings: []};
		expect(linesOf(trace, {changes})).toEqual([
			{tone: 'plain', text: 'Merged into main as ccccccc by a person at the terminal'},
		]);
		const blocks = sheetBlocks(sheetOf(trace, taskOfSheet(trace), {changes}), now);
		expect(blocks.find(({id}) => id === 'changes')?.lines).toEqual([
			{tone: 'dim', text: 'Nothing beyond what is merged.'},
		]);
		expect(blocks.some(({id}) => id === 'lands')).toBe(false);
	});
});

describe('the lines of an output that failed', () => {
	test('are those that name a failure', () => {
		const output = 'ok 1 - one\nnot ok 2 - two\n  ---\nok 3 - three\n# fail 1\n# duration_ms 12';
		expect(failingLines(output, 3)).toEqual(['not ok 2 - two']);
	});

	test('are the last lines if none names a failure', () => {
		expect(failingLines('one\ntwo\n\nthree\n', 2)).toEqual(['two', 'three']);
	});
});

test('a sheet is good only in checks and guards that are known to be', () => {
	const word = fc.constantFrom('good', 'passed', 'failed', 'All tests pass \u2713', '');
	const merge = fc.constantFrom({}, {mergeCheck: notChecked}, {mergeCheck: passedOn});
	fc.assert(
		fc.property(
			word,
			fc.boolean(),
			fc.constantFrom('a', 'b', ''),
			merge,
			(said, hasVerdict, lands, check) => {
				const verdict = createEvent('VERIFICATION', {
					kind: 'verification.success',
					taskId: 'a',
					summary: said || 'fine',
				});
				const [plan, claim, proposal, ...rest] = done(said);
				const events = [plan, claim, proposal, ...(hasVerdict ? [verdict] : []), ...rest];
				const sheet = sheetFrom(
					events.flatMap(event => (event ? [event] : [])),
					{...(lands !== '' && landing(lands)), ...check},
				);
				const good = sheetBlocks(sheet, now).flatMap(({id, lines}) =>
					lines.filter(({tone}) => tone === 'good').map(() => id),
				);
				const known = [
					...sheet.checks
						.filter(({state, lands}) => state === 'passed' && lands === true)
						.map(() => 'checks'),
					...(sheet.mergeCheck?.state === 'passed' ? ['checks'] : []),
					...sheet.guards.filter(({verdict, older}) => verdict === 'passed' && !older).map(() => 'guards'),
				];
				expect(good).toEqual(known);
			},
		),
	);
});
