import {describe, expect, it} from 'vitest';
import {
	changeSentences,
	firstSentences,
	overlapSentences,
	startScreenReader,
} from '../../source/dashboard/screen-reader.ts';
import {buildInvite, buildRun, buildTask, buildTrace, mapOf} from './build-trace.ts';
import {createFixtureWorld} from './fixture-world.ts';

const before = buildTrace('t1', {title: 'Add login', tasks: [buildTask('ui', {status: 'running'})]});

describe('the linear dashboard', () => {
	it('starts with totals and the decisions that wait, not with every trace', () => {
		const gate = buildTask('_review', {status: 'waiting_review', review: 'final', bee: ''});
		const waiting = Array.from({length: 12}, (_, index) =>
			buildTrace(`w${index}`, {title: `Wish ${index}`, tasks: [gate]}),
		);
		const over = buildTrace('o', {title: 'Old', tasks: [buildTask('a', {status: 'completed'})]});
		const said = firstSentences(mapOf(before, over, ...waiting));
		expect(said.slice(0, 2)).toEqual([
			'14 traces, 1 of them finished, 0 bees at work.',
			'These need you: 12 reviews.',
		]);
		expect(said).toHaveLength(13);
		expect(said[2]).toMatch(/^Wish 0: /);
		expect(said.at(-1)).toBe('And 2 more: "hive status" has all.');
		expect(firstSentences(new Map())).toEqual([
			'0 traces, 0 of them finished, 0 bees at work.',
			'Nothing needs you.',
		]);
	});

	it('describes a new trace', () => {
		expect(changeSentences(new Map(), mapOf(before))).toEqual([
			'Trace t1, Add login, 0 bees at work.',
			'Trace t1: honey 7 of 12.',
			'Trace t1: task ui is running.',
		]);
	});

	it('reports only changes after that', () => {
		const after = buildTrace('t1', {
			title: 'Add login',
			energyRemaining: 6,
			tasks: [buildTask('ui', {status: 'waiting_review', review: 'required', summary: 'login form'})],
		});
		expect(changeSentences(mapOf(before), mapOf(after))).toEqual([
			'Trace t1: honey 6 of 12.',
			'Trace t1: task ui is waiting for review: login form.',
		]);
		expect(changeSentences(mapOf(after), mapOf(after))).toEqual([]);
	});

	it('reports that a guard runs, and asks for a person only after the last guard', () => {
		const proposal = {sequence: 4, workspace: 'isolated', summary: 'a form'} as const;
		const taskWith = (change: object) =>
			mapOf(
				buildTrace('t1', {
					tasks: [buildTask('ui', {agentId: 'r', proposal, ...change})],
					runs: [buildRun('r', {taskId: 'ui', status: 'completed'})],
				}),
			);
		const guarded = taskWith({status: 'running', review: 'required'});
		const attended = taskWith({status: 'waiting_review'});
		const left = taskWith({status: 'waiting_review', unattended: true});
		const said = (from: typeof guarded, to: typeof guarded) => changeSentences(from, to).at(-1);
		expect(said(new Map(), guarded)).toBe('Trace t1: task ui is guard running.');
		expect(said(new Map(), attended)).toBe('Trace t1: task ui is guard running.');
		expect(said(attended, left)).toBe('Trace t1: task ui is waiting for review.');
	});

	it('reads out a question and the command that answers it', () => {
		const questions = [{questionId: 'q1', sequence: 4, text: 'Tabs or spaces?'}];
		const run = buildRun('r', {status: 'completed', questions});
		const task = buildTask('ui', {
			status: 'waiting_review',
			waitsFor: 'question',
			summary: 'Tabs or spaces?',
		});
		expect(
			changeSentences(
				mapOf(before),
				mapOf(buildTrace('t1', {title: 'Add login', tasks: [task], runs: [run]})),
			),
		).toEqual([
			'Trace t1: task ui asks you: Tabs or spaces? "hive task retry --trace t1 --task ui --feedback \'<answer>\'" answers.',
		]);
		const scout = buildTrace('t1', {
			...{title: 'Add login', tasks: [...before.tasks.values()]},
			runs: [{...run, bee: 'scout', trigger: 2}],
		});
		expect(changeSentences(mapOf(before), mapOf(scout))).toEqual([
			'Trace t1: scout asks you: Tabs or spaces? "hive bee retry r --feedback \'<answer>\'" answers.',
		]);
	});

	it('reports work that changed nothing', () => {
		const task = buildTask('ui', {
			...{status: 'waiting_review', waitsFor: 'no_change', summary: 'Changed nothing: It is there.'},
		});
		expect(
			changeSentences(mapOf(before), mapOf(buildTrace('t1', {title: 'Add login', tasks: [task]}))),
		).toEqual(['Trace t1: task ui changed nothing: It is there.']);
	});

	it('reports once that traces change the same lines', () => {
		const traces = mapOf(before, buildTrace('t2', {title: 'Fix typo'}));
		const overlaps = [{traceIds: ['t1', 't2'] as const, paths: ['a.ts', 'b.ts']}];
		expect(overlapSentences([], overlaps, traces)).toEqual([
			'Add login and Fix typo change the same lines of a.ts and 1 more.',
		]);
		expect(overlapSentences(overlaps, overlaps, traces)).toEqual([]);
	});

	it('reports an invite when it starts to wait', () => {
		const invited = buildTrace('t1', {
			title: 'Add login',
			tasks: [buildTask('ui', {status: 'running'})],
			invites: [buildInvite('i1', {task: 'Which login?\nAnd for whom?'})],
		});
		expect(changeSentences(mapOf(before), mapOf(invited))).toEqual([
			'Trace t1: drone invites you to talk: Which login?. "hive invite accept i1" accepts.',
		]);
		expect(changeSentences(mapOf(invited), mapOf({...invited, title: 'Other'}))).toEqual([]);
	});

	it('reports once that the planning of a request failed', () => {
		const scout = buildRun('r1', {bee: 'scout'});
		const asked = buildTrace('t1', {runs: [scout]});
		const failed = buildTrace('t1', {runs: [{...scout, status: 'failed', summary: 'no such program'}]});
		expect(changeSentences(mapOf(asked), mapOf(failed))).toEqual([
			'Trace t1: scout failed: no such program.',
		]);
		expect(changeSentences(mapOf(failed), mapOf({...failed, title: 'Ask'}))).toEqual([]);
	});

	it('reports warnings when a run ends, and not those of runs that ended before', () => {
		const run = buildRun('r1', {bee: 'maker'});
		const ended = buildTrace('t1', {runs: [{...run, status: 'completed', warnings: ['no network']}]});
		const told = changeSentences(mapOf(buildTrace('t1', {runs: [run]})), mapOf(ended));
		expect(told).toEqual(['Trace t1: warning of maker: no network.']);
		expect(changeSentences(mapOf(ended), mapOf({...ended, title: 'Ask'}))).toEqual([]);
		expect(changeSentences(new Map(), mapOf(ended)).join()).not.toContain('warning');
	});

	it('reports changes outside a workspace when its run ended, unless a warning names them', () => {
		const run = buildRun('r1', {bee: 'maker'});
		const outside = [
			{what: 'file', name: 'a.txt', change: 'changed'},
			{what: 'tag', name: 'v1', change: 'removed'},
		] as const;
		const ended = buildTrace('t1', {runs: [{...run, status: 'completed', outside}]});
		expect(changeSentences(mapOf(buildTrace('t1', {runs: [run]})), mapOf(ended))).toEqual([
			'Trace t1: outside, while maker ran: a.txt was changed.',
		]);
	});

	it('reports once what needs a person without an event', async () => {
		const {world, tell} = createFixtureWorld();
		const said: string[] = [];
		const over = new AbortController();
		const ended = startScreenReader(world, text => said.push(text), over.signal);
		said.length = 0;
		const survey = {held: new Map(), problems: [{path: 'bees/a.yaml', message: 'no adapter'}]};
		tell.survey(survey);
		const conflictOf = (work: string) => ({
			conflicts: new Map([['trace-019a8b7177b0e4d1', {work, paths: ['src/upload.ts']}]]),
			overlaps: [],
			bases: new Map(),
		});
		tell.clashes(conflictOf('c1'));
		tell.survey({...survey});
		tell.clashes(conflictOf('c1'));
		tell.clashes(conflictOf('c2'));
		expect(said).toEqual([
			'bees/a.yaml: no adapter\n',
			'Fix flaky upload test: Its work conflicts with its base in src/upload.ts.\n',
			'Fix flaky upload test: Its work conflicts with its base in src/upload.ts.\n',
		]);
		over.abort();
		await ended;
	});

	it('reports a starting, live or missing reactor and a missing folder, each once', async () => {
		const {world, tell} = createFixtureWorld({
			status: (_signal, call) => {
				told = call;
			},
		});
		let told: Parameters<typeof world.status>[1] = tell.status;
		const said: string[] = [];
		const over = new AbortController();
		const ended = startScreenReader(world, text => said.push(text), over.signal);
		said.length = 0;
		for (const reactor of ['starting', 'starting', 'here', 'here', 'none'] as const)
			told({reactor, bus: {state: 'live'}, places: []});
		for (const _ of [1, 2]) told({reactor: 'none', bus: {state: 'live'}, places: [], isGone: true});
		expect(said).toEqual([
			'The reactor is starting.\n',
			'The reactor is alive.\n',
			'No reactor is alive: nothing is started. Next: "hive run".\n',
			expect.stringMatching(/^The folder \/home\/me\/acme-api is gone: .*"hive init"/),
		]);
		over.abort();
		await ended;
	});

	it('reports errors from outside, and stops when its signal aborts', async () => {
		const {world} = createFixtureWorld({
			consoleAt: () => ({url: 'http://127.0.0.1:8787', link: 'http://127.0.0.1:8787/#code=c'}),
			consoleOpened: (_signal, call) => call(),
			onProblem: (_signal, call) => call('The reactor was ended by SIGKILL; it is started again.'),
		});
		const said: string[] = [];
		const ended = startScreenReader(world, text => said.push(text), new AbortController().signal);
		expect(said).toContain('The reactor was ended by SIGKILL; it is started again.\n');
		expect(said).toContain(
			'The console listens at http://127.0.0.1:8787. Open once, within ten minutes: http://127.0.0.1:8787/#code=c\n',
		);
		process.emit('SIGHUP');
		expect(await ended).toEqual({ok: true, value: {exitCode: 129, bees: 'leave'}});
	});
});
