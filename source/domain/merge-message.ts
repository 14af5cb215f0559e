import {type Trace, titleOf} from './trace.ts';

/** Subject and body of a merge commit. Git adds its own lines below. */
type MergeMessage = {readonly subject: string; readonly body: string};

/** Returns the person's text, else the title and the summary of the trace (docs/rules.md §4). */
export const mergeMessage = (trace: Trace, written = ''): MergeMessage => {
	const [subject = '', ...rest] = written.trim().split('\n');
	return {
		subject: subject || titleOf(trace) || `Merge ${trace.traceId}`,
		body: rest.join('\n').trim() || trace.summary,
	};
};

/** Returns the message as one text, as a person edits it. */
export const mergeMessageText = (trace: Trace): string => {
	const {subject, body} = mergeMessage(trace);
	return body === '' ? subject : `${subject}\n\n${body}`;
};
