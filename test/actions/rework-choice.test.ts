import {expect, it} from 'vitest';
import {type ChangedPaths, taskOfComments} from '../../source/actions/rework-choice.ts';
import {buildTask} from '../dashboard/build-trace.ts';

const [newest, middle, oldest] = ['docs', 'tests', 'limiter'].map(taskId => buildTask(taskId)) as [
	...[ReturnType<typeof buildTask>, ReturnType<typeof buildTask>, ReturnType<typeof buildTask>],
];
const tasks = [newest, middle, oldest];
const changed: ChangedPaths = new Map([
	['limiter', new Set(['source/limit.mjs', 'source/store.mjs'])],
	['tests', new Set(['test/limit.mjs', 'source/store.mjs'])],
]);
const on = (...paths: string[]) =>
	taskOfComments(
		tasks,
		paths.map(path => ({path})),
		changed,
	)?.taskId;

it('a rework goes to the task whose runs changed the files of the comments', () => {
	expect(on('source/limit.mjs')).toBe('limiter');
	expect(on('test/limit.mjs')).toBe('tests');
});

it('a rework goes to the task with the most comments, and of several to the newest', () => {
	expect(on('source/limit.mjs', 'source/limit.mjs', 'test/limit.mjs')).toBe('limiter');
	expect(on('source/store.mjs')).toBe('tests');
	expect(on('source/limit.mjs', 'test/limit.mjs')).toBe('tests');
});

it('a rework goes to no task by comments on files that no task changed', () => {
	expect(on('readme.md')).toBeUndefined();
	expect(on()).toBeUndefined();
});
