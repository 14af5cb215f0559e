import {describe, expect, it} from 'vitest';
import {nameWithId, runName, taskName, traceName} from '../../../source/host/views/name.ts';
import {buildRun, buildTask, buildTrace} from '../../dashboard/build-trace.ts';

describe('a trace', () => {
	it('is called what a person called it, else after the bee that it was begun to talk with', () => {
		const talk = buildRun('run-1', {bee: 'griller', interactive: true});
		expect(traceName(buildTrace('t', {title: 'Add login', runs: [talk]}))).toBe('Add login');
		expect(traceName(buildTrace('t', {runs: [talk]}))).toBe('Talk with griller');
		expect(traceName(buildTrace('t', {runs: [buildRun('run-1')]}))).toBe('(no title yet)');
	});
});

describe('a task', () => {
	it.each([
		['by its title', {title: 'Sort the list'}, 'Sort the list'],
		['by its id where it has none', {title: ''}, 'order'],
		['a rework after what it reworks', {title: 'Rework: Sort the list'}, 'Rework: Sort the list'],
		['a rework of a rework after what was reworked first', {title: 'Rework: Rework: Sort'}, 'Rework 2: Sort'],
		['a gate by what it does', {taskId: '_review-2', title: ''}, 'Merge gate 2'],
	])('is called %s', (_, change, name) => {
		expect(taskName(buildTask('order', change))).toBe(name);
	});

	it('has its id behind its name where a command may have to name it', () => {
		const trace = buildTrace('t', {
			tasks: [buildTask('order', {title: 'Sort the list'}), buildTask('plain', {title: ''})],
		});
		expect(nameWithId(trace, 'order')).toBe('Sort the list (order)');
		expect(nameWithId(trace, 'plain')).toBe('plain');
		expect(nameWithId(trace, 'gone')).toBe('gone');
	});
});

it('a run is called after its task, what verifies one so, and one without a task after its trace', () => {
	const trace = buildTrace('t', {title: 'Add login', tasks: [buildTask('api', {title: 'Write the routes'})]});
	expect(runName(trace, buildRun('r', {taskId: 'api'}))).toBe('Write the routes');
	expect(runName(trace, buildRun('r', {taskId: 'api', verifies: 'builder'}))).toBe(
		'Verify: Write the routes',
	);
	expect(runName(trace, buildRun('r'))).toBe('Add login');
});
