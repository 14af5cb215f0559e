import type {StoredEvent} from '../../domain/event.ts';
import type {NotifyCategory, NotifyLevel, NotifySettings} from '../../domain/notify.ts';
import {type Trace, titleOf} from '../../domain/trace.ts';
import type {InboxEntry} from '../../host/views/inbox.ts';

/** Something that a person is to be told of now. */
export type Notification = {
	readonly category: NotifyCategory;
	readonly level: Exclude<NotifyLevel, 'off'>;
	readonly title: string;
	readonly text: string;
	readonly traceId: string;
	readonly taskId: string;
};

type Subject = Omit<Notification, 'level'>;

/** What comes at once is told at once: as the first of it, with a sound if any has one. */
export const inOne = ([first, ...more]: readonly Notification[]): Notification | undefined => {
	if (first === undefined || more.length === 0) return first;
	const level = [first, ...more].some(one => one.level === 'sound') ? 'sound' : 'silent';
	return {...first, level, text: `${first.text} (and ${more.length} more)`};
};

/** What there is to tell of entries of the inbox: those whose cause was not there before. */
export const newSubjects = (seen: ReadonlySet<string>, entries: readonly InboxEntry[]): readonly Subject[] =>
	entries
		.filter(({key}) => !seen.has(key))
		.map(({category, title, sentence, traceId = '', taskId = ''}) => ({
			...{category, title, traceId, taskId},
			text: sentence,
		}));

/** Tasks that these events completed. */
export const completedSubjects = (
	events: readonly StoredEvent[],
	traces: ReadonlyMap<string, Trace>,
): readonly Subject[] =>
	events.flatMap(({traceId, payload}) => {
		const trace = traces.get(traceId);
		const task = payload.kind === 'task.completed' ? trace?.tasks.get(String(payload.taskId)) : undefined;
		if (trace === undefined || task?.status !== 'completed') return [];
		const {taskId, title, summary} = task;
		const text = summary === '' ? 'It is completed.' : `It is completed: ${summary}`;
		return [{category: 'task.completed', title: title || titleOf(trace) || taskId, text, traceId, taskId}];
	});

/** @param isPresent the terminal has the focus: whoever sees it needs no call */
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
