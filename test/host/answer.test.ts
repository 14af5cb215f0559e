import {expect, test} from 'vitest';
import {formatAnswer} from '../../source/host/views/answer.ts';
import {createEvent, stored, traceId} from '../helpers/events.ts';

const answerOf = (questionId: string, agentId: string) =>
	createEvent('INSIGHT', {kind: 'human.answer', questionId, text: 'Yes'}, {agentId});

test('the answer to a question is named, not an earlier answer to another question of its task', () => {
	const events = stored([answerOf('q-1', 'human'), answerOf('q-2', 'console')]);
	const asked = (questionId: string) => ({
		...{traceId, taskId: 'work', cause: `question:${traceId}/work@${questionId}`},
	});
	expect(formatAnswer(asked('q-1'), events, 0)).toContain('Answered: answered at the terminal at');
	expect(formatAnswer(asked('q-2'), events, 0)).toContain('Answered: answered on the page at');
});
