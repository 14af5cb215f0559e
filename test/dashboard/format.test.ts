import {describe, expect, it} from 'vitest';
import {formatMoment, formatNumber} from '../../source/dashboard/parts/format.ts';
import {eventText} from '../../source/dashboard/store/event-text.ts';
import {ago, buildEvent, buildTask, buildTrace, noon} from './build-trace.ts';

describe('a formatted count', () => {
	it.each([
		[0, '0'],
		[999, '999'],
		[1204, '1,204'],
		[1_234_567, '1,234,567'],
	])('of %d is %s', (count, text) => {
		expect(formatNumber(count)).toBe(text);
	});
});

it('a time is shown with its date if it is on another day', () => {
	expect(formatMoment(noon, noon)).toMatch(/^\d\d:\d\d:11$/);
	expect(formatMoment(ago(3 * 24 * 60), noon)).toMatch(/^2026-02-2\d \d\d:\d\d:11$/);
});

it("an event's text names its task, except if the task has the title of its trace", () => {
	const event = buildEvent('t', 'SIGNAL', 'task.status', {taskId: 'api', status: 'running'});
	const task = buildTask('api', {title: 'Write the routes'});
	expect(eventText(event, buildTrace('t', {title: 'Add login', tasks: [task]}))).toBe(
		'Write the routes → running',
	);
	expect(eventText(event, buildTrace('t', {title: 'Write the routes', tasks: [task]}))).toBe('→ running');
	expect(eventText(event, undefined)).toBe('api → running');
});
