import {expect, it} from 'vitest';
import {claimOf, createEvent, item, planOf, readyOf, reduceAll} from '../helpers/events.ts';

it('a run keeps the changes that were seen outside its workspace', () => {
	const ended = reduceAll(
		planOf(item('a')),
		readyOf('a'),
		claimOf('r1', 'a'),
		createEvent('SIGNAL', {
			...{kind: 'run.finished', agentId: 'r1', bee: 'builder', taskId: 'a', status: 'completed', exitCode: 0},
			outside: [
				{
					what: 'stash',
					name: 'stash',
					change: 'removed',
					before: 'a'.repeat(40),
					kept: 'refs/hive/outside/a',
				},
				{
					what: 'branch',
					name: 'main',
					change: 'forward',
					before: 'b',
					after: 'c',
					commits: ['c0ffee0 by hand'],
				},
				{what: 'weather', name: 'rain', change: 'added'},
			],
			outsideMore: 3,
		}),
	);
	expect(ended.runs.get('r1')).toMatchObject({
		outside: [
			{what: 'stash', change: 'removed', kept: 'refs/hive/outside/a'},
			{what: 'branch', change: 'forward', commits: ['c0ffee0 by hand']},
		],
		outsideMore: 3,
	});
});
