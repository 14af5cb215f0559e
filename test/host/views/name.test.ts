import {describe, expect, it} from 'vitest';
import {agentTitle, nameWithId, runName, taskName, traceName} from '../../../source/host/views/name.ts';
import {buildRun, buildTask, buildTrace} from '../../dashboard/build-trace.ts';

describe('the name of a trace', () => {
	it('is its title, or else names the bee of its talk', () => {
		const talk = buildRun('run-1', {bee: 'griller', interactive: true});
		expect(traceName(buildTrace('t', {title: 'Add login', runs: [talk]}))).toBe('Add login');
		expect(traceName(buildTrace('t', {runs: [talk]}))).toBe('Talk with griller');
		expect(traceName(buildTrace('t', {runs: [buildRun('run-1')]}))).toBe('(no title yet)');
	});

	it("is the person's own title, also after an agent has given the trace another one", () => {
		const request = {sequence: 1, title: 'Limit requests', body: 'To 100 a minute.'};
		const trace = buildTrace('t', {title: 'Rate limit middleware', titled: true, request});
		expect([traceName(trace), agentTitle(trace)]).toEqual(['Limit requests', 'Rate limit middleware']);
		const untitled = {...trace, request: {...request, title: '', body: 'To 100 a minute.\nDocument it.'}};
		expect([traceName(untitled), agentTitle(untitled)]).toEqual([
			'To 100 a minute.',
			'Rate limit middleware',
		]);
		const same = {...trace, title: 'Limit requests'};
		expect([traceName(same), agentTitle(same)]).toEqual(['Limit requests', '']);
		const {request: _gone, ...older} = trace;
		expect([traceName(older), agentTitle(older)]).toEqual(['Rate limit middleware', '']);
	});
});

describe('the name of a task', () => {
	it.each([
		['by its title', {title: 'Sort the list'}, 'Sort the list'],
		['by its id where it has none', {title: ''}, 'order'],
		['a rework after what it reworks', {title: 'Rework: Sort the list'}, 'Rework: Sort the list'],
		['a rework of a rework after what was reworked first', {title: 'Rework: Rework: Sort'}, 'Rework 2: Sort'],
		['a gate by what it does', {taskId: '_review-2', title: ''}, 'Final review 2'],
	])('is chosen: %s', (_, change, name) => {
		expect(taskName(buildTask('order', change))).toBe(name);
	});

	it('is followed by the id where a command may need it', () => {
		const trace = buildTrace('t', {
			tasks: [buildTask('order', {title: 'Sort the list'}), buildTask('plain', {title: ''})],
		});
		expect(nameWithId(trace, 'order')).toBe('Sort the list (order)');
		expect(nameWithId(trace, 'plain')).toBe('plain');
		expect(nameWithId(trace, 'gone')).toBe('gone');
	});
});

it('a run is named after its task, also if it verifies one, and otherwise after its trace', () => {
	const trace = buildTrace('t', {title: 'Add login', tasks: [buildTask('api', {title: 'Write the routes'})]});
	expect(runName(trace, buildRun('r', {taskId: 'api'}))).toBe('Write the routes');
	expect(runName(trace, buildRun('r', {taskId: 'api', verifies: 'builder'}))).toBe('Write the routes');
	expect(runName(trace, buildRun('r'))).toBe('Add login');
});
