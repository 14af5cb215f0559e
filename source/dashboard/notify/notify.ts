import {errorMessage} from '../../domain/error-message.ts';
import type {NotifySettings} from '../../domain/notify.ts';
import {noClashes} from '../../host/views/clashes.ts';
import {inbox} from '../store/inbox.ts';
import {say} from '../store/notice-changes.ts';
import {onChange} from '../store/on-change.ts';
import type {State} from '../store/state.ts';
import type {Store} from '../store/store.ts';
import type {Screen} from '../terminal/screen.ts';
import type {World} from '../world.ts';
import {completedSubjects, dueNotifications, inOne, type Notification, newSubjects} from './due.ts';
import {notifySequence, titleSequence} from './sequences.ts';

type Notifying = {
	readonly world: Pick<World, 'notify' | 'launch' | 'header'>;
	readonly store: Store;
	readonly screen: Pick<Screen, 'send' | 'setTitle'>;
	/** True if the terminal has the focus, as far as it reports it. */
	readonly hasFocus: () => boolean;
	readonly signal: AbortSignal;
};

/**
 * Notifies a person of each cause that needs them, once. Causes at the start are on screen and in the title,
 * so they are not notified. Causes that come while the terminal has the focus count as seen.
 */
export const startNotifying = ({world, store, screen, hasFocus, signal}: Notifying): void => {
	const seen = new Set<string>();
	let isBegun = false;
	let known: Pick<State, 'traces' | 'survey' | 'clashes'> | undefined;
	let sequence = 0;
	let title = '';
	onChange(store, signal, state => {
		const {traces, survey, clashes, events} = state;
		if (!state.loaded || survey === undefined) return;
		if (known?.traces === traces && known.survey === survey && known.clashes === clashes) return;
		// Conflicts are computed after the first frame. Those of the first result were there at the start.
		const isFirstLook = known === undefined || known.clashes === noClashes;
		known = {traces, survey, clashes};
		const settings = world.notify();
		const entries = inbox(state);
		const subjects = [
			...newSubjects(seen, entries).filter(({category}) => category !== 'conflict' || !isFirstLook),
			...completedSubjects(
				events.filter(event => event.sequence > sequence),
				traces,
			),
		];
		for (const {key} of entries) seen.add(key);
		sequence = events.at(-1)?.sequence ?? sequence;
		const now = settings.title ? titleSequence(entries.length, world.header.slug) : '';
		if (now !== title) screen.setTitle(now);
		title = now;
		const notification = isBegun ? inOne(dueNotifications(subjects, settings, hasFocus())) : undefined;
		isBegun = true;
		if (notification === undefined) return;
		screen.send(notifySequence(notification, settings.by));
		launch(world, settings, notification).catch((error: unknown) => {
			const reason = errorMessage(error);
			store.fold(say(`You are not told of what needs you: ${reason}`, 'bad'));
		});
	});
};

const launch = async (
	world: Notifying['world'],
	{command}: NotifySettings,
	{category, level, title, text, traceId, taskId}: Notification,
): Promise<void> => {
	if (command === undefined) return;
	await world.launch(command, {
		HIVE_NOTIFY_CATEGORY: category,
		HIVE_NOTIFY_LEVEL: level,
		HIVE_NOTIFY_TITLE: title,
		HIVE_NOTIFY_TEXT: text,
		HIVE_TRACE_ID: traceId,
		HIVE_TASK_ID: taskId,
	});
};
