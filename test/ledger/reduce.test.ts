import {describe, expect, test} from 'vitest';
import {maxOutsideFacts, maxOutsideNameLength} from '../../source/domain/outside.ts';
import {maxWarningLength, maxWarnings} from '../../source/domain/run.ts';
import {applyEvents} from '../../source/ledger/reduce.ts';
import {
	addOf,
	claimOf,
	completedOf,
	createEvent,
	finishOf,
	item,
	killOf,
	planOf,
	proposalOf,
	readyOf,
	reduceAll,
	reduceLater,
	statuses,
	statusOf,
	stored,
	taskOf,
} from '../helpers/events.ts';

describe('a plan', () => {
	test('makes the first task without dependencies ready, and the following tasks wait their turn', () => {
		const trace = reduceAll(planOf(item('a'), item('b'), item('c', 'a')));
		expect(statuses(trace)).toEqual({a: 'ready', b: 'planned', c: 'planned'});
	});

	test('reports which tasks became ready', () => {
		const before = reduceAll(planOf(item('a'), item('b', 'a')));
		const {ready} = applyEvents(before, stored([completedOf('a')], before.sequence + 1));
		expect(ready).toEqual(['b']);
	});

	test('makes all dependants of a completed task ready at once', () => {
		const trace = reduceAll(planOf(item('a'), item('b', 'a'), item('c', 'a')), completedOf('a'));
		expect(statuses(trace)).toEqual({a: 'completed', b: 'ready', c: 'ready'});
	});

	test('is refused completely when a dependency is unknown, and the trace records why', () => {
		const trace = reduceAll(planOf(item('a'), item('b', 'nowhere')));
		expect(statuses(trace)).toEqual({});
		expect(trace.problems[0]?.message).toContain('there is no task "nowhere"');
	});

	test('is refused completely when it has a cycle', () => {
		const trace = reduceAll(planOf(item('a', 'c'), item('b', 'a'), item('c', 'b'), item('d')));
		expect(statuses(trace)).toEqual({});
		expect(trace.problems[0]?.message).toContain('cycle: a, b, c');
	});

	test('has no effect the second time', () => {
		const once = reduceAll(planOf(item('a'), item('b', 'a')));
		const twice = reduceLater(once, planOf(item('a'), item('b', 'a')));
		expect({...twice, sequence: 0, updatedAt: ''}).toEqual({...once, sequence: 0, updatedAt: ''});
	});

	test('that redefines an existing task id is refused', () => {
		const trace = reduceAll(planOf(item('a')), planOf({...item('a'), body: 'something else'}));
		expect(trace.problems[0]?.message).toContain('the trace has another task "a"');
	});

	test('starts a task whose start event came before the plan, out of turn', () => {
		const trace = reduceAll(readyOf('b'), planOf(item('a'), item('b')));
		expect(statuses(trace)).toEqual({a: 'ready', b: 'ready'});
	});

	test('does not make a final gate ready, and a gate does not block the queue', () => {
		const trace = reduceAll(planOf({...item('gate'), review: 'final'}, item('a')));
		expect(statuses(trace)).toEqual({gate: 'planned', a: 'ready'});
	});

	test.each(['constructor', 'toString', 'hasOwnProperty'])('accepts "%s" as an ordinary task id', id => {
		expect(statuses(reduceAll(planOf(item(id))))).toEqual({[id]: 'ready'});
	});
});

describe('a claim', () => {
	test('costs one unit, creates a run record and moves the task to running', () => {
		const trace = reduceAll(planOf(item('a')), claimOf('run1', 'a'));
		expect(trace.energyRemaining).toBe(11);
		expect(trace.runs.get('run1')).toMatchObject({status: 'running', taskId: 'a', bee: 'builder'});
		expect(taskOf(trace, 'a')).toMatchObject({status: 'running', agentId: 'run1'});
	});

	test('of a task that is not ready costs nothing', () => {
		const trace = reduceAll(planOf(item('a')), claimOf('run1', 'a'), claimOf('run2', 'a'));
		expect(trace.energyRemaining).toBe(11);
		expect([...trace.runs.keys()]).toEqual(['run1']);
	});

	test('without honey starts nothing', () => {
		const trace = reduceAll(
			{...planOf(item('a')), energyBudget: 1},
			claimOf('run1', 'a'),
			finishOf('run1', 'failed'),
			readyOf('a'),
			claimOf('run2', 'a'),
		);
		expect(trace.energyRemaining).toBe(0);
		expect(trace.runs.has('run2')).toBe(false);
	});

	test('seeds an unseeded reserve, and keeps honey that was added before', () => {
		const trace = reduceAll(addOf(5), {...claimOf('run1', 'x', {trigger: 1}), energyBudget: 12});
		expect(trace).toMatchObject({energyBudget: 12, energyRemaining: 16});
	});

	test('of a direct run does not move the task of its event', () => {
		const trace = reduceAll(planOf(item('a')), claimOf('guard1', 'a', {trigger: 1}));
		expect(taskOf(trace, 'a').status).toBe('ready');
	});
});

describe('the end of a run', () => {
	const running = reduceAll(planOf(item('a'), item('b', 'a')), claimOf('run1', 'a'));

	test('that failed fails its task with the summary of the run', () => {
		expect(taskOf(reduceLater(running, finishOf('run1', 'failed', 'exit 1')), 'a')).toMatchObject({
			status: 'failed',
			summary: 'exit 1',
		});
	});

	test('that succeeded leaves the status of the task to the reactor', () => {
		expect(taskOf(reduceLater(running, finishOf('run1')), 'a').status).toBe('running');
	});

	test('applies a completion that the run reported while it held the task', () => {
		const early = reduceLater(running, completedOf('a', {agentId: 'run1'}));
		expect(taskOf(early, 'a').status).toBe('running');
		expect(statuses(reduceLater(early, finishOf('run1')))).toEqual({a: 'completed', b: 'ready'});
		expect(taskOf(reduceLater(early, finishOf('run1', 'failed', 'no')), 'a').status).toBe('failed');
	});

	test('of a run that was replaced does not move the task', () => {
		const retried = reduceLater(running, readyOf('a', {replaces: 'run1'}), finishOf('run1', 'failed'));
		expect(taskOf(retried, 'a')).toMatchObject({status: 'ready', attempt: 2});
	});

	test('is applied once', () => {
		const ended = reduceLater(running, finishOf('run1', 'failed', 'first'), finishOf('run1', 'completed'));
		expect(ended.runs.get('run1')?.status).toBe('failed');
	});
});

describe('the stored warnings of a run', () => {
	const ended = (warnings: unknown) => {
		const {payload} = finishOf('run1');
		const finished = createEvent('SIGNAL', {...payload, warnings});
		return reduceAll(planOf(item('a')), claimOf('run1', 'a'), finished).runs.get('run1');
	};

	test('are those of its end event', () => {
		expect(ended(['no network', 'no disk'])?.warnings).toEqual(['no network', 'no disk']);
	});

	test.each([[undefined], ['a text'], [{0: 'x'}], [[]], [['', 7, null, ['x'], {}]]])(
		'are absent for an invalid list: %j',
		warnings => expect(ended(warnings)).not.toHaveProperty('warnings'),
	);

	test('are limited in number and length', () => {
		const kept = ended([1, ...Array.from({length: 100}, () => 'x'.repeat(10_000))])?.warnings ?? [];
		expect(kept).toHaveLength(maxWarnings);
		expect(new Set(kept.map(({length}) => length))).toEqual(new Set([maxWarningLength]));
	});
});

describe('outside changes of a run', () => {
	const ended = (said: object) => {
		const {payload} = finishOf('run1');
		const finished = createEvent('SIGNAL', {...payload, ...said});
		return reduceAll(planOf(item('a')), claimOf('run1', 'a'), finished).runs.get('run1');
	};
	const fact = {what: 'tag', name: 'v1', change: 'removed', before: '1a2b3c4'};

	test('are stored with the run, with the number of the omitted ones', () => {
		expect(ended({outside: [fact], outsideMore: 2})).toMatchObject({outside: [fact], outsideMore: 2});
	});

	test.each([[undefined], ['a text'], [[]], [[null, 7, {what: 'tag'}, {...fact, what: 'rain'}]]])(
		'are absent for a list without a valid fact: %j',
		outside => expect(ended({outside, outsideMore: 2})).not.toHaveProperty('outside'),
	);

	test('are limited in number and length', () => {
		const long = {...fact, name: 'x'.repeat(1000), commits: Array.from({length: 9}, () => 'y'.repeat(1000))};
		const [first, ...more] = ended({outside: Array.from({length: 100}, () => long)})?.outside ?? [];
		expect(more).toHaveLength(maxOutsideFacts - 1);
		expect(first?.name).toHaveLength(maxOutsideNameLength);
		expect(first?.commits?.map(({length}) => length)).toEqual([120, 120, 120, 120, 120]);
	});
});

describe('a retry', () => {
	test('of a running task must name the run that it replaces', () => {
		const running = reduceAll(planOf(item('a')), claimOf('run1', 'a'));
		expect(taskOf(reduceLater(running, readyOf('a')), 'a').status).toBe('running');
		expect(taskOf(reduceLater(running, readyOf('a', {replaces: 'other'})), 'a').status).toBe('running');
		expect(reduceLater(running, readyOf('a', {replaces: 'run1'})).runs.get('run1')?.replaced).toBe(true);
	});

	test('clears the summary of a failed task', () => {
		const failed = reduceAll(planOf(item('a')), claimOf('run1', 'a'), finishOf('run1', 'failed', 'broken'));
		expect(taskOf(reduceLater(failed, readyOf('a')), 'a')).toMatchObject({
			status: 'ready',
			summary: '',
			announced: true,
		});
	});

	test('of a completed task replaces its failed direct run of the same bee, and does not move the task', () => {
		const open = reduceAll(
			planOf(item('a')),
			claimOf('run1', 'a'),
			proposalOf('run1', 'a'),
			finishOf('run1'),
			completedOf('a'),
			claimOf('guard1', 'a', {trigger: 3, bee: 'guard'}),
		);
		const again = readyOf('a', {replaces: 'guard1'});
		expect(reduceLater(open, again).runs).toEqual(open.runs);
		const failed = reduceLater(open, finishOf('guard1', 'failed'));
		expect(reduceLater(failed, readyOf('a'), readyOf('a', {replaces: 'run1'})).runs).toEqual(failed.runs);
		const retried = reduceLater(failed, again);
		expect(retried.runs.get('guard1')).toMatchObject({status: 'failed', replaced: true});
		expect(reduceLater(retried, again).runs).toEqual(retried.runs);
		expect(retried.tasks).toEqual(failed.tasks);
		expect(reduceLater(failed, killOf(), again).runs).toEqual(failed.runs);
	});
});

describe('the reserve of a trace', () => {
	test('returns blocked tasks to ready when honey is added', () => {
		const blocked = reduceAll(
			{...planOf(item('a'), item('b', 'a'), item('c', 'a')), energyBudget: 1},
			claimOf('r', 'a'),
			finishOf('r'),
			completedOf('a'),
			statusOf('b', 'blocked', 'Honey reserve exhausted'),
		);
		expect(taskOf(blocked, 'b')).toMatchObject({status: 'blocked', summary: 'Honey reserve exhausted'});
		const topped = reduceLater(blocked, addOf(1));
		expect(taskOf(topped, 'b')).toMatchObject({status: 'ready', summary: '', announced: false});
		expect(topped).toMatchObject({energyBudget: 1, energyRemaining: 1});
	});

	test('blocks the task of a run that was stopped at a limit, until the limit is raised', () => {
		const finished = finishOf('r', 'cancelled', 'Cost limit reached');
		const stopped = {...finished, payload: {...finished.payload, limit: 'cost', usage: {costUsd: 1.2}}};
		const blocked = statusOf('a', 'blocked', 'Cost limit reached', 'r');
		const said = {...blocked, payload: {...blocked.payload, limit: 'cost'}};
		const running = reduceAll({...planOf(item('a')), maxCost: 1}, claimOf('r', 'a'));
		for (const trace of [reduceLater(running, said, stopped), reduceLater(running, stopped)]) {
			expect(taskOf(trace, 'a')).toMatchObject({status: 'blocked', summary: 'Cost limit reached'});
			expect(trace.runs.get('r')).toMatchObject({status: 'cancelled', limit: 'cost'});
			const add = (cost: number) => reduceLater(trace, createEvent('SIGNAL', {kind: 'energy.add', cost}));
			expect(taskOf(add(0.1), 'a').status).toBe('blocked');
			expect(taskOf(add(1), 'a').status).toBe('ready');
		}
	});

	test('also blocks at a reached limit of money or tokens, until the limit is raised', () => {
		const planned = {...planOf(item('a'), item('b', 'a')), maxCost: 1, maxTokens: 1000};
		const used = (usage: object) => ({...finishOf('r'), payload: {...finishOf('r').payload, usage}});
		const ended = (usage: object) =>
			reduceAll(
				planned,
				claimOf('r', 'a'),
				used(usage),
				completedOf('a'),
				statusOf('b', 'blocked', 'enough'),
			);
		expect(taskOf(ended({costUsd: 0.99, inputTokens: 999}), 'b').status).toBe('ready');
		const [dear, long] = [ended({costUsd: 1}), ended({inputTokens: 600, cacheReadTokens: 400})];
		expect([taskOf(dear, 'b').status, taskOf(long, 'b').status]).toEqual(['blocked', 'blocked']);
		expect([dear.spent, long.spent]).toEqual([
			{cost: 1, tokens: 0},
			{cost: 0, tokens: 1000},
		]);
		const add = (more: object) => createEvent('SIGNAL', {kind: 'energy.add', ...more});
		expect(taskOf(reduceLater(dear, add({tokens: 1, amount: 1})), 'b').status).toBe('blocked');
		expect(reduceLater(dear, add({cost: 0.5}))).toMatchObject({
			maxCost: 1.5,
			maxTokens: 1000,
			energyRemaining: 11,
		});
		expect(taskOf(reduceLater(dear, add({cost: 0.5})), 'b')).toMatchObject({status: 'ready', summary: ''});
		expect(taskOf(reduceLater(long, add({tokens: 1})), 'b').status).toBe('ready');
	});

	test('ignores invalid limits in a seed and invalid usage of a run', () => {
		const seeded = (more: object) =>
			reduceAll(createEvent('INSIGHT', {kind: 'task.plan', tasks: []}, {energyBudget: 5, ...more}));
		expect(seeded({maxCost: Number.NaN, maxTokens: 1.5})).not.toHaveProperty('maxCost');
		expect(seeded({maxCost: 'much', maxTokens: -4})).not.toHaveProperty('maxTokens');
		const unlimited = reduceAll({...planOf(item('a')), maxCost: 0}, claimOf('r', 'a'));
		for (const usage of [{costUsd: -5, inputTokens: 'x'}, {costUsd: Number.NaN}, 7, null])
			expect(
				reduceLater(unlimited, {...finishOf('r'), payload: {...finishOf('r').payload, usage}}).spent ?? {
					cost: 0,
					tokens: 0,
				},
			).toEqual({cost: 0, tokens: 0});
		expect(reduceLater(unlimited, createEvent('SIGNAL', {kind: 'energy.add', cost: 3}))).not.toHaveProperty(
			'maxCost',
		);
	});

	test('does not block a task while there is honey', () => {
		const trace = reduceAll(planOf(item('a')), statusOf('a', 'blocked'));
		expect(taskOf(trace, 'a').status).toBe('ready');
	});
});

describe('a task in review', () => {
	const waiting = reduceAll(
		planOf({...item('a'), review: 'required'}, item('b', 'a')),
		claimOf('r', 'a'),
		proposalOf('r', 'a'),
		finishOf('r'),
		statusOf('a', 'waiting_review', 'look'),
	);

	test('is completed by a person, not by a run', () => {
		const said = reduceLater(
			waiting,
			claimOf('guard', 'a', {trigger: 3, bee: 'guard'}),
			completedOf('a', {agentId: 'guard'}),
		);
		expect(taskOf(said, 'a').status).toBe('waiting_review');
		expect(said.problems.at(-1)?.message).toContain('a person decides');
		expect(statuses(reduceLater(said, completedOf('a', {agentId: 'human'})))).toEqual({
			a: 'completed',
			b: 'ready',
		});
	});

	test('becomes ready when it is rejected, and the feedback is kept for the next prompt', () => {
		const back = reduceLater(
			waiting,
			createEvent('INSIGHT', {kind: 'human.feedback', taskId: 'a', message: 'use a partial index'}),
		);
		expect(taskOf(back, 'a')).toMatchObject({status: 'ready', feedback: 'use a partial index', attempt: 2});
	});

	test('that waits for a commit gate is completed by the run that publishes the commit', () => {
		const deferred = reduceAll(
			planOf(item('a')),
			claimOf('r', 'a'),
			proposalOf('r', 'a'),
			finishOf('r'),
			statusOf('a', 'waiting_review'),
			claimOf('gate', 'a', {trigger: 3, bee: 'guard'}),
			completedOf('a', {agentId: 'gate'}),
		);
		expect(taskOf(deferred, 'a').status).toBe('completed');
	});

	test('takes a verdict only on its newest proposal', () => {
		const verdict = (proposal: number) =>
			createEvent(
				'VERIFICATION',
				{kind: 'verification.failed', taskId: 'a', summary: 'no', proposal},
				{agentId: 'human'},
			);
		expect(taskOf(reduceLater(waiting, verdict(1)), 'a').verdict).toBeUndefined();
		expect(taskOf(reduceLater(waiting, verdict(3)), 'a').verdict).toMatchObject({passed: false, proposal: 3});
	});
});

describe('a killed trace', () => {
	const killed = reduceAll(planOf(item('a'), item('b', 'a'), item('c')), claimOf('r', 'a'), killOf('enough'));

	test('has every unfinished task cancelled with the reason of the kill', () => {
		expect(statuses(killed)).toEqual({a: 'cancelled', b: 'cancelled', c: 'cancelled'});
		expect(taskOf(killed, 'b').summary).toBe('enough');
	});

	test('stays killed, whatever event follows', () => {
		const after = reduceLater(
			killed,
			readyOf('a'),
			claimOf('r2', 'a'),
			completedOf('a'),
			addOf(5),
			planOf(item('d')),
			finishOf('r'),
		);
		expect(statuses(after)).toEqual({a: 'cancelled', b: 'cancelled', c: 'cancelled'});
		expect(after.energyRemaining).toBe(killed.energyRemaining + 5);
		expect(after.runs.size).toBe(1);
	});
});

describe('a merge', () => {
	const gate = {...item('_review'), review: 'final' as const};
	const waiting = reduceAll(
		planOf(item('a')),
		completedOf('a'),
		planOf(gate),
		statusOf('_review', 'waiting_review'),
	);
	const merging = reduceLater(
		waiting,
		createEvent('SIGNAL', {kind: 'merge.started', taskId: '_review', tree: 'abc', by: 'human'}),
	);

	test('that is open protects its task from a kill, and its end completes the task', () => {
		const killed = reduceLater(merging, killOf());
		expect(taskOf(killed, '_review').status).toBe('waiting_review');
		const ended = reduceLater(killed, completedOf('_review', {agentId: 'human'}));
		expect(taskOf(ended, '_review').status).toBe('completed');
		expect(ended.merge).toBeUndefined();
	});

	test('that was abandoned lets a kill cancel its task', () => {
		const ended = reduceLater(
			merging,
			killOf(),
			createEvent('SIGNAL', {kind: 'merge.abandoned', taskId: '_review', reason: 'conflict'}),
		);
		expect(taskOf(ended, '_review').status).toBe('cancelled');
	});

	test('is held back when new work closes its gate again', () => {
		expect(statuses(reduceLater(waiting, planOf(item('rework'))))).toEqual({
			a: 'completed',
			_review: 'planned',
			rework: 'ready',
		});
	});

	test('cannot be claimed twice', () => {
		const twice = reduceLater(
			merging,
			createEvent('SIGNAL', {kind: 'merge.started', taskId: '_review', tree: 'def', by: 'cli'}),
		);
		expect(twice.merge).toMatchObject({tree: 'abc'});
	});

	test('of the base into the worktree needs no open run or merge, and ends with update.finished', () => {
		const started = createEvent('SIGNAL', {kind: 'update.started', head: 'abc', by: 'human'});
		const finished = createEvent('SIGNAL', {kind: 'update.finished', summary: 'merged'});
		const updating = reduceLater(waiting, started);
		expect(updating.merge).toMatchObject({head: 'abc', by: 'human'});
		expect(reduceLater(updating, finished).merge).toBeUndefined();
		expect(reduceLater(merging, started, finished).merge).toEqual(merging.merge);
		const running = reduceAll(planOf(item('a')), claimOf('run1', 'a'), started);
		expect(running.merge).toBeUndefined();
		expect(running.problems).toHaveLength(1);
		expect(statuses(reduceLater(updating, killOf()))).toEqual({a: 'completed', _review: 'cancelled'});
	});
});

test.each(['__proto__', 'constructor', 'nonsense'])(
	'a task.status with the unknown status "%s" changes nothing',
	status => {
		const trace = reduceAll(planOf(item('a')));
		expect(statuses(reduceLater(trace, statusOf('a', status)))).toEqual({a: 'ready'});
	},
);

test('a trace is named by its title, else by the request, else by its first task', () => {
	const requested = reduceAll(createEvent('SIGNAL', {kind: 'feature.requested', title: 'Add login'}));
	expect(requested.title).toBe('Add login');
	const titled = reduceLater(
		requested,
		createEvent('INSIGHT', {kind: 'trace.title', title: 'Login with OAuth'}),
		createEvent('SIGNAL', {kind: 'feature.requested', title: 'again'}),
	);
	expect(titled.title).toBe('Login with OAuth');
});

test('a taken trace belongs to the other checkout, with its open runs but not its ended ones', () => {
	const before = reduceAll(
		planOf(item('a'), item('b', 'a')),
		claimOf('first', 'a'),
		finishOf('first'),
		completedOf('a'),
		claimOf('second', 'b'),
	);
	const taken = reduceLater(before, createEvent('SIGNAL', {kind: 'trace.taken', place: 'there'}));
	expect(taken.place).toBe('there');
	expect([...taken.runs.values()].map(({place}) => place)).toEqual(['here', 'there']);
	expect(statuses(taken)).toEqual(statuses(before));
	expect(reduceLater(before, createEvent('SIGNAL', {kind: 'trace.taken'})).place).toBe('here');
});

describe('a purge', () => {
	const purge = createEvent('SIGNAL', {kind: 'trace.purged'});

	test('leaves only a tombstone of the trace, which no later event changes', () => {
		const done = reduceAll(planOf(item('a')), claimOf('run', 'a'), finishOf('run'), completedOf('a'));
		const purged = reduceLater(done, purge);
		expect(purged).toMatchObject({killed: true, purged: purged.sequence, place: 'here', title: ''});
		expect([purged.tasks.size, purged.runs.size, purged.energyBudget]).toEqual([0, 0, undefined]);
		const after = reduceLater(purged, planOf(item('b')), addOf(5), purge);
		expect(after).toEqual({...purged, sequence: after.sequence, updatedAt: after.updatedAt});
	});

	test('is refused while a run is open', () => {
		const running = reduceLater(reduceAll(planOf(item('a')), claimOf('run', 'a')), purge);
		expect(running.purged).toBeUndefined();
		expect(statuses(running)).toEqual({a: 'running'});
		expect(running.problems).toMatchObject([{message: 'the trace was purged out of turn'}]);
	});
});
