import {errorMessage} from '../../domain/error-message.ts';
import type {NotifySettings} from '../../domain/notify.ts';
import {noClashes} from '../../host/views/clashes.ts';
import type {InboxEntry} from '../../host/views/inbox.ts';
import {inbox} from '../store/inbox.ts';
import {showToast} from '../store/notice-changes.ts';
import {onChange} from '../store/on-change.ts';
import type {State} from '../store/state.ts';
import type {Store} from '../store/store.ts';
import type {TerminalControl} from '../terminal/terminal-control.ts';
import type {DashboardServices} from '../world.ts';
import {
	completedSubjects,
	dueNotifications,
	mergeNotifications,
	type Notification,
	newSubjects,
} from './due.ts';
import {notifySequence, titleSequence} from './sequences.ts';

type NotifyOptions = {
	readonly world: Pick<DashboardServices, 'notify' | 'launch' | 'header'>;
	readonly store: Store;
	readonly screen: Pick<TerminalControl, 'send' | 'setTitle'>;
	/** True if the terminal has the focus, as far as it reports it. */
	readonly hasFocus: () => boolean;
	readonly signal: AbortSignal;
};

/**
 * Notifies a person of each cause that needs them, once. Causes at the start are on screen and in the title,
 * so they are not notified. Causes that come while the terminal has the focus count as seen.
 */
export const startNotifying = ({world: services, store, screen, hasFocus, signal}: NotifyOptions): void => {
	const notifiedKeys = new Set<string>();
	const startedAt = new Date(store.getState().now).toISOString();
	let hasStarted = false;
	let previous: Pick<State, 'traces' | 'survey' | 'clashes' | 'sessions'> | undefined;
	let sequence = 0;
	let title = '';
	onChange(store, signal, state => {
		const {traces, survey, clashes, sessions, events} = state;
		if (!state.loaded || survey === undefined) return;
		if (
			previous?.traces === traces &&
			previous.survey === survey &&
			previous.clashes === clashes &&
			previous.sessions === sessions
		)
			return;
		// Conflicts are computed after the first frame. Those of the first result were there at the start.
		const isFirstPass = previous === undefined || previous.clashes === noClashes;
		previous = {traces, survey, clashes, sessions};
		const settings = services.notify();
		const entries = inbox(state);
		// Sessions are read after the first frame. Those that waited before it were there at the start.
		const isNew = ({kind, since = ''}: InboxEntry): boolean => kind !== 'session' || since >= startedAt;
		const subjects = [
			...newSubjects(notifiedKeys, entries.filter(isNew)).filter(
				({category}) => category !== 'conflict' || !isFirstPass,
			),
			...completedSubjects(
				events.filter(event => event.sequence > sequence),
				traces,
			),
		];
		for (const {key} of entries) notifiedKeys.add(key);
		sequence = events.at(-1)?.sequence ?? sequence;
		const newTitle = settings.title ? titleSequence(entries.length, services.header.slug) : '';
		if (newTitle !== title) screen.setTitle(newTitle);
		title = newTitle;
		const notification = hasStarted
			? mergeNotifications(dueNotifications(subjects, settings, hasFocus()))
			: undefined;
		hasStarted = true;
		if (notification === undefined) return;
		screen.send(notifySequence(notification, settings.by));
		launch(services, settings, notification).catch((error: unknown) => {
			const reason = errorMessage(error);
			store.enqueue(showToast(`A notification could not be shown: ${reason}`, 'bad'));
		});
	});
};

const launch = async (
	services: NotifyOptions['world'],
	{command}: NotifySettings,
	{category, level, title, text, traceId, taskId}: Notification,
): Promise<void> => {
	if (command === undefined) return;
	await services.launch(command, {
		HIVE_NOTIFY_CATEGORY: category,
		HIVE_NOTIFY_LEVEL: level,
		HIVE_NOTIFY_TITLE: title,
		HIVE_NOTIFY_TEXT: text,
		HIVE_TRACE_ID: traceId,
		HIVE_TASK_ID: taskId,
	});
};
