import {formatCount} from '../../domain/format-count.ts';
import {type Line, line} from '../parts/line.ts';
import type {Button, Form} from '../store/form.ts';
import type {Comments} from './task.ts';

/** Comments that would not be sent with an approval. */
export type Unsent = {
	readonly comments: Comments;
	/** The name of their subject, if the dialog has several. */
	readonly on?: string;
	/** The dialog that sends them back. Absent if the work cannot be rejected. */
	readonly back: Form | undefined;
};

/** Adds a warning about unsent comments to an approve dialog, and a button to send them back instead. */
export const withUnsent = (open: Form, unsent: readonly Unsent[]): Form => {
	const found = unsent.filter(({comments}) => countOf(comments) > 0);
	const back = found.find(one => one.back !== undefined)?.back;
	const [cancel, ...others] = open.buttons;
	if (found.length === 0 || cancel === undefined) return open;
	return {
		...open,
		buttons: [cancel, ...(back === undefined ? [] : [sendBackButton(back)]), ...others],
		lines: [...found.map(unsentLine), ...open.lines],
	};
};

const countOf = ({comments, outdated}: Comments): number => comments.length + outdated;

const unsentLine = ({comments, on, back}: Unsent): Line => {
	const count = countOf(comments);
	const about = on === undefined ? '' : ` on ${on}`;
	const instead =
		back === undefined
			? ' Approving leaves them here.'
			: ` x sends ${count === 1 ? 'it' : 'them'} back instead.`;
	return line(
		`! ${formatCount(count, 'comment')} of yours${about} ${count === 1 ? 'is' : 'are'} not sent.${instead}`,
		'accent',
	);
};

const sendBackButton = (form: Form): Button => ({label: 'x Reject', key: 'x', value: 'send-back', form});
