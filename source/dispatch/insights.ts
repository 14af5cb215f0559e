import type {StoredEvent} from '../domain/event.ts';

const most = 5;
const longest = 500;

const labels: Readonly<Record<string, (event: StoredEvent) => string>> = {
	'run.summary': event => `Summary (${nameOf(event)})`,
	'review.note': ({payload}) =>
		`Review note${typeof payload.severity === 'string' ? ` (${payload.severity})` : ''}`,
	'context.note': () => 'Context',
	'human.feedback': () => 'Beekeeper feedback',
};

const nameOf = ({payload, agentId}: StoredEvent): string =>
	typeof payload.bee === 'string' ? payload.bee : (agentId ?? 'unknown');

/**
 * What earlier runs and people said that the next prompt should know: the newest five of the task and of the trace as a whole,
 * newest first (docs/rules.md §9). Human feedback on the task leads.
 */
export const insightsFor = (events: readonly StoredEvent[], taskId: string): string[] => {
	const lines = events
		.filter(({payload}) => Object.hasOwn(labels, payload.kind))
		.filter(({payload}) => payload.taskId === undefined || payload.taskId === '' || payload.taskId === taskId)
		.toReversed()
		.map(event => ({feedback: event.payload.kind === 'human.feedback', line: lineOf(event)}));
	const ordered = [...lines.filter(({feedback}) => feedback), ...lines.filter(({feedback}) => !feedback)];
	return [...new Set(ordered.map(({line}) => line))].slice(0, most);
};

const lineOf = (event: StoredEvent): string => {
	const {payload} = event;
	const words = payload.kind === 'human.feedback' ? payload.message : payload.summary;
	const text = typeof words === 'string' ? words.trim() : '';
	const cut = text.length > longest ? `${text.slice(0, longest)}…` : text;
	return `${labels[payload.kind]?.(event) ?? payload.kind}: ${cut}`;
};
