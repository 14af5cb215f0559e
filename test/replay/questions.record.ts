import {expect, it} from 'vitest';
import {claimOf, finishOf, folded, item, later, planOf, readyOf, say, taskOf} from '../helpers/events.ts';

/** Questions of runs, answers of people, and runs that changed nothing. */
const asked = say(
	'SIGNAL',
	{kind: 'human.question', questionId: 'q1', text: 'A or B?', options: ['A', 'B']},
	{agentId: 'r1'},
);
const answered = say('INSIGHT', {kind: 'human.answer', questionId: 'q1', option: 'B'}, {agentId: 'human'});
const waits = (waitsFor: string) =>
	say('SIGNAL', {kind: 'task.status', taskId: 'a', status: 'waiting_review', summary: 'A or B?', waitsFor});
const running = folded(planOf(item('a')), readyOf('a'), claimOf('r1', 'a'));

it('a task whose run asks waits for the first answer', () => {
	const waiting = later(running, asked, finishOf('r1'), waits('question'));
	expect(taskOf(waiting, 'a')).toMatchObject({status: 'waiting_review', waitsFor: 'question'});
	expect(taskOf(later(waiting, answered, answered), 'a')).toMatchObject({status: 'ready', attempt: 2});
});

it('a task whose run failed has the question as its summary', () => {
	expect(taskOf(later(running, asked, finishOf('r1', 'failed', 'exit code 1')), 'a').summary).toBe('A or B?');
});

it('a task whose run changed nothing waits for a word', () => {
	const finished = say('SIGNAL', {...finishOf('r1').payload, noChange: 'ask'});
	const waiting = later(running, finished, waits('no_change'));
	expect(taskOf(waiting, 'a').waitsFor).toBe('no_change');
	const told = say('INSIGHT', {kind: 'human.feedback', taskId: 'a', message: 'B'});
	expect(taskOf(later(waiting, told), 'a').feedback).toBe('B');
});

it('a direct run that asks gives way to another with the answer', () => {
	const planning = later(
		folded(say('SIGNAL', {kind: 'feature.requested', title: 'Add it'}, {energyBudget: 12})),
		say('SIGNAL', {
			...{kind: 'energy.consume', amount: 1, reason: 'direct.dispatch', agentId: 'r1', bee: 'scout'},
			...{place: 'here', trigger: 1, answers: 'feature.requested'},
		}),
		asked,
		finishOf('r1'),
	);
	expect(later(planning, answered).runs.get('r1')?.replaced).toBe(true);
});
