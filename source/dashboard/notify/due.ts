import type {StoredEvent} from '../../domain/event.ts';
import type {NotifyCategory, NotifyLevel, NotifySettings} from '../../domain/notify.ts';
import type {Trace} from '../../domain/trace.ts';
import type {InboxEntry} from '../../host/views/inbox.ts';
import {reviewName} from '../../host/views/name.ts';

/** A notification to show to a person now. */
export type Notification = {
	readonly category: NotifyCategory;
	readonly level: Exclude<NotifyLevel, 'off'>;
	readonly title: string;
	readonly text: string;
	readonly traceId: string;
	readonly taskId: string;
};

type Subject = Omit<Notification, 'level'>;

/** Merges simultaneous notifications into one: the first, with a sound if any of them has one. */
export const mergeNotifications = ([first, ...more]: readonly Notification[]): Notification | undefined => {
	if (first === undefined || more.length === 0) return first;
	const level = [first, ...more].some(one => one.level === 'sound') ? 'sound' : 'silent';
	return {...first, level, text: `${first.text} (and ${more.length} more)`};
};

/** Notifications for inbox entries whose cause was not there before. */
export const newSubjects = (
	knownKeys: ReadonlySet<string>,
	entries: readonly InboxEntry[],
): readonly Subject[] =>
	entries
		.filter(({key}) => !knownKeys.has(key))
		.map(({category, title, sentence, traceId = '', taskId = ''}) => ({
			...{category, title, traceId, taskId},
			text: sentence,
		}));

/** Notifications for tasks that these events completed. */
export const completedSubjects = (
	events: readonly StoredEvent[],
	traces: ReadonlyMap<string, Trace>,
): readonly Subject[] =>
	events.flatMap(({traceId, payload}) => {
		const trace = traces.get(traceId);
		const task = payload.kind === 'task.completed' ? trace?.tasks.get(String(payload.taskId)) : undefined;
		if (trace === undefined || task?.status !== 'completed') return [];
		const {taskId, summary} = task;
		const text = summary === '' ? 'It is completed.' : `It is completed: ${summary}`;
		return [{category: 'task.completed', title: reviewName(trace, task), text, traceId, taskId}];
	});

/** @param isPresent the terminal has the focus, so the person sees the change without a notification */
export const dueNotifications = (
	subjects: readonly Subject[],
	{levels}: NotifySettings,
	isPresent: boolean,
): readonly Notification[] =>
	isPresent
		? []
		: subjects.flatMap(subject => {
				const level = levels[subject.category];
				return level === 'off' ? [] : [{...subject, level}];
			});
