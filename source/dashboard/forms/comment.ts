import {formatCommentPosition} from '../../domain/review-comment.ts';
import type {DraftComment} from '../../host/review/review-memory.ts';
import {line} from '../parts/line.ts';
import type {Form} from '../store/form.ts';
import {cancelButton, form} from './target.ts';
import {emptyInput, inputOf} from './text-input.ts';

/** A dialog to write or change a comment on lines. Comments are sent only with a rejection. */
export const commentForm = (
	now: number,
	place: Omit<DraftComment, 'text'>,
	replaced: DraftComment | undefined,
): Form =>
	form(now, {
		title: `Comment · ${formatCommentPosition(place)}`,
		lines: [
			...(place.quote ?? '')
				.split('\n')
				.slice(0, 3)
				.map(text => line(`│ ${text}`, 'dim')),
			line('Kept on this machine; x sends all of them with a rejection.', 'dim'),
		],
		fields: [
			{
				...{name: 'text', label: 'Your comment:', multiline: true},
				input: replaced === undefined ? emptyInput : inputOf(replaced.text),
				required: 'Write a comment.',
			},
		],
		buttons: [cancelButton, {label: 'Ctrl+D Keep', value: 'keep'}],
		request: {action: 'comment', input: {place, replaced}},
	});
