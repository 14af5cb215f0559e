import type {StoredEvent} from '../../source/domain/event.ts';
import type {Story} from './simulate.ts';

/** Formats a story for people: its log with one line per event, and its breaches. */
export const describeStory = ({log, breaches}: Story): string =>
	[...log.map(describeEvent), '', ...breaches].join('\n');

const describeEvent = ({sequence, at, traceId, agentId = '-', payload}: StoredEvent): string => {
	const {kind, tasks, completedAt: _completedAt, ...rest} = payload;
	const plan = Array.isArray(tasks) ? {tasks: tasks.map(one => JSON.stringify(one))} : {};
	const words = Object.entries({...rest, ...plan}).map(([field, value]) => `${field}=${String(value)}`);
	return [String(sequence).padStart(4), at.slice(11, 23), traceId, agentId.padEnd(16), kind, ...words].join(
		' ',
	);
};
