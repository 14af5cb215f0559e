import {describe, expect, it} from 'vitest';
import {eventSnapshot, eventView} from '../../../source/host/views/event.ts';
import {
	addOf,
	claimOf,
	createEvent,
	finishOf,
	item,
	killOf,
	planOf,
	statusOf,
	stored,
} from '../../helpers/events.ts';

const viewOf = ({payload}: ReturnType<typeof createEvent>) => eventView(payload);

describe('the summary of an event', () => {
	it('has the task and its new status', () => {
		expect(viewOf(statusOf('a', 'failed', 'no disk'))).toMatchObject({
			taskId: 'a',
			status: 'failed',
			text: 'no disk',
		});
	});

	it('has the tasks of a plan, including one without an id', () => {
		const plan = planOf(item('a'), item('b'));
		expect(viewOf(plan).tasks).toEqual(['a', 'b']);
		expect(eventView({kind: 'task.plan', tasks: ['x', {taskId: 'a'}, null]}).tasks).toEqual(['', 'a', '']);
	});

	it('has the amount of honey', () => {
		expect(viewOf(addOf(5)).change).toBe('+5');
		expect(viewOf(claimOf('r', 'a')).change).toBe('-1');
		expect(viewOf(killOf()).change).toBe('');
	});

	it('has the amounts of money and tokens', () => {
		const added = (more: object) => eventView({kind: 'energy.add', ...more}).change;
		expect(added({cost: 2.5, tokens: 1_500_000})).toBe('+$2.50 +1.5M tokens');
		expect(added({amount: 1, cost: 0.001})).toBe('+1 +<$0.01');
		expect(added({cost: -1, tokens: 'many'})).toBe('');
	});

	it('has the warnings of an ended run, and warnings of no other event', () => {
		const warnings = ['no network', 7];
		expect(eventView({...finishOf('r').payload, warnings}).warnings).toEqual(['no network']);
		expect(viewOf(finishOf('r')).warnings).toEqual([]);
		expect(eventView({kind: 'review.note', warnings}).warnings).toEqual([]);
	});

	it('has the preferred one of its texts, and ignores values that are not text', () => {
		expect(viewOf(createEvent('SIGNAL', {kind: 'x', title: 'Title', body: 'Body', summary: ''})).text).toBe(
			'Title',
		);
		expect(viewOf(createEvent('SIGNAL', {kind: 'x', summary: 7, taskId: {}, body: 'Body'}))).toMatchObject({
			taskId: '',
			text: 'Body',
		});
	});
});

it('an event is printed for scripts without transport fields', () => {
	const [event] = stored([planOf(item('a'))]);
	expect(event).toHaveProperty('energyBudget');
	expect(Object.keys(event ? eventSnapshot(event) : {})).toEqual(
		'sequence id at traceId agentId type payload'.split(' '),
	);
});
