import {describe, expect, test} from 'vitest';
import {
	type Evidence,
	findDoubled,
	findLeft,
	findLost,
	pathOfTask,
	type TracedWork,
} from '../../source/drivers/torture/checks.ts';

const event = (id: string, kind: string, agentId = 'a1') => ({id, sequence: 1, payload: {kind, agentId}});

const work: TracedWork = {
	traceId: 't1',
	isMerged: true,
	planned: ['k0.5.plain', 'k1.9.emit'],
	tasks: [
		{taskId: 'k0.5.plain', status: 'completed'},
		{taskId: 'k1.9.emit', status: 'completed'},
	],
	log: [event('e1', 'energy.consume'), event('e2', 'context.note'), event('e3', 'run.finished')],
};

const sound: Evidence = {
	starts: [{agentId: 'a1', traceId: 't1'}],
	acknowledged: ['e2'],
	traces: [work],
	base: new Map([
		[pathOfTask('t1', 'k0.5.plain'), 't1 k0 a1\n'],
		[pathOfTask('t1', 'k1.9.emit'), 't1 k1 a1\r\n'],
	]),
	own: [{path: 'notes.md', text: 'mine\n', found: 'mine\n'}],
	landings: ['t1'],
	damage: [],
	remains: [],
};

const withWork = (change: Partial<TracedWork>): Evidence => ({...sound, traces: [{...work, ...change}]});
const findAll = (evidence: Evidence) => ({
	lost: findLost(evidence),
	doubled: findDoubled(evidence),
	left: findLeft(evidence),
});
const nothing = {lost: [], doubled: [], left: []};

test('sound evidence has nothing lost, doubled or left behind', () => {
	expect(findAll(sound)).toEqual(nothing);
});

describe('a loss is found, and nothing else:', () => {
	test.each<[string, Evidence, string]>([
		[
			'an acknowledged event',
			{...sound, acknowledged: ['e2', 'e9']},
			'The event e9 was acknowledged and is not logged.',
		],
		['a planned task', withWork({tasks: work.tasks.slice(1)}), 'The task k0.5.plain of t1 is gone.'],
		[
			'a planned task of a trace that waits',
			withWork({isMerged: false, tasks: []}),
			'The task k0.5.plain of t1 is gone.',
		],
		[
			'merged work',
			{...sound, base: new Map([[pathOfTask('t1', 'k0.5.plain'), 't1 k0 a1\n']])},
			'The work of k1.9.emit of t1 was merged and is not on the base.',
		],
		[
			'an unsaved file that changed',
			{...sound, own: [{path: 'notes.md', text: 'mine\n', found: 'theirs\n'}]},
			'Your unsaved file notes.md changed.',
		],
		[
			'an unsaved file that is gone',
			{...sound, own: [{path: 'notes.md', text: 'mine\n', found: undefined}]},
			'Your unsaved file notes.md changed.',
		],
		['an object', {...sound, damage: ['Git says: missing blob 1234']}, 'Git says: missing blob 1234'],
	])('%s', (_, evidence, sentence) => {
		const {lost, ...others} = findAll(evidence);
		expect(lost[0]).toBe(sentence);
		expect(others).toEqual({doubled: [], left: []});
	});
});

describe('what happened twice is found, and nothing else:', () => {
	test.each<[string, Evidence, string]>([
		[
			'a start of an agent',
			{...sound, starts: [...sound.starts, ...sound.starts]},
			'The agent a1 was started twice.',
		],
		['a merge', {...sound, landings: ['t1', 't2', 't1']}, 't1 was merged twice.'],
		[
			'an event',
			withWork({log: [...work.log, event('e2', 'context.note')]}),
			'The event e2 is logged twice.',
		],
		[
			'a payment',
			withWork({log: [...work.log, event('e4', 'energy.consume')]}),
			'The run a1 was paid twice.',
		],
		['an end', withWork({log: [...work.log, event('e4', 'run.finished')]}), 'The run a1 ended twice.'],
		[
			'work on the base',
			{...sound, base: new Map([...sound.base, [pathOfTask('t1', 'k0.5.plain'), 't1 k0 a1\nt1 k0 a2\n']])},
			'The work of k0.5.plain of t1 is on the base twice.',
		],
	])('%s', (_, evidence, sentence) => {
		expect(findAll(evidence)).toEqual({...nothing, doubled: [sentence]});
	});
});

describe('what is left behind is found, and nothing else:', () => {
	test.each<[string, Evidence, string]>([
		['an open run', withWork({log: work.log.slice(0, 2)}), 'The run a1 is still open.'],
		['a process', {...sound, remains: ['The process 7 is alive: sleep']}, 'The process 7 is alive: sleep'],
	])('%s', (_, evidence, sentence) => {
		expect(findAll(evidence)).toEqual({...nothing, left: [sentence]});
	});
});
