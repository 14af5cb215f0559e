import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {formatFeedback, type ReviewComment} from '../../source/domain/review-comment.ts';
import {validateEvent} from '../../source/domain/validate-event.ts';
import {claimOf, createEvent, finishOf, item, planOf, reduceAll, statusOf} from '../helpers/events.ts';

const comment: ReviewComment = {
	path: 'source/a.ts',
	side: 'new',
	line: 3,
	endLine: 4,
	quote: 'one();\ntwo();',
	text: 'Call them the other way round.',
};

const problems = (comments: unknown): string[] => {
	const payload = {kind: 'human.feedback', taskId: 'a', message: 'Almost.', comments};
	const checked = validateEvent({traceId: 'trace-1', type: 'INSIGHT', payload});
	return checked.ok ? [] : checked.refusal.details.map(({path, message}) => `${path}: ${message}`);
};

describe('review comments on lines', () => {
	test('are accepted with a location, with or without a range and quoted lines', () => {
		const {endLine: _, quote: __, ...short} = comment;
		expect(problems([comment, short])).toEqual([]);
	});

	test.each([
		[{...comment, path: '/etc/passwd'}, 'path: must be a path inside the repository'],
		[{...comment, path: 'a/../../b'}, 'path: must be a path inside the repository'],
		[{...comment, path: '.git/config'}, 'path: must be a path inside the repository'],
		[{...comment, path: 'a\nb'}, 'path: must be a path inside the repository'],
		[{...comment, side: 'left'}, 'side: must be one of old, new'],
		[{...comment, line: 0}, 'line: must be the number of a line, from 1'],
		[{...comment, endLine: 2}, 'endLine: must not be before line'],
		[{...comment, quote: 'x'.repeat(2001)}, 'quote: must be at most 2000 characters'],
		[{...comment, text: ' '}, 'text: required'],
	])('are refused with the reason when one is invalid', (wrong, problem) => {
		expect(problems([wrong])).toEqual([`payload.comments.0.${problem}`]);
	});

	test('are refused when there are too many or their total length is too large', () => {
		expect(problems(Array.from({length: 101}, () => comment))).toEqual([
			'payload.comments: must be at most 100 comments',
		]);
		expect(problems(Array.from({length: 20}, () => ({...comment, text: 'x'.repeat(3000)})))).toEqual([
			'payload.comments: must be at most 40000 characters together',
		]);
	});

	test('follow the feedback in the next prompt, each with path, lines and quoted code', () => {
		const removed: ReviewComment = {path: 'b.ts', side: 'old', line: 7, text: 'Keep this.'};
		expect(formatFeedback('Almost.', [comment, removed])).toBe(
			[
				'Almost.',
				'source/a.ts, lines 3 to 4:\n```\none();\ntwo();\n```\nCall them the other way round.',
				'b.ts, line 7 of what it was before:\nKeep this.',
			].join('\n\n'),
		);
	});

	test('appear in the next attempt of the rejected task', () => {
		const trace = reduceAll(
			planOf({...item('a'), review: 'required'}),
			claimOf('run-1', 'a'),
			finishOf('run-1'),
			statusOf('a', 'waiting_review'),
			createEvent('INSIGHT', {kind: 'human.feedback', taskId: 'a', message: 'Almost.', comments: [comment]}),
		);
		expect(trace.tasks.get('a')?.feedback).toBe(formatFeedback('Almost.', [comment]));
	});

	test('cannot close their code fence by quoted code', () => {
		fc.assert(
			fc.property(fc.array(fc.constantFrom('`', '``', '````', '\n', 'a', '\u001B[2J')), parts => {
				const quote = parts.join('');
				fc.pre(quote !== '');
				const [, fence = '', ...rest] = formatFeedback('', [{...comment, quote}])
					.slice(2)
					.split('\n');
				expect(fence).toMatch(/^`{3,}$/);
				expect(rest.filter(line => line.startsWith(fence))).toEqual([fence]);
				expect(rest.join('\n')).not.toContain('\u001B');
			}),
		);
	});
});
