import type {NotifyCategory} from '../domain/notify.ts';
import type {ChatSettings} from '../host/host.ts';

type Policy = Pick<ChatSettings, 'notify' | 'quiet'>;

/** How loudly a category is notified now. Undefined if it is not. */
export const notificationLevel = (
	{notify, quiet}: Policy,
	category: NotifyCategory,
	now: number,
): 'silent' | 'sound' | undefined => {
	const configured = notify[category];
	if (configured === 'off') return undefined;
	return configured === 'sound' && isQuiet(quiet, now) ? 'silent' : configured;
};

/** True during the quiet hours. They may span midnight; equal times mean the whole day. */
const isQuiet = (quiet: Policy['quiet'], now: number): boolean => {
	if (quiet === undefined) return false;
	const date = new Date(now);
	const minute = date.getHours() * 60 + date.getMinutes();
	const {from, to} = quiet;
	return from < to ? minute >= from && minute < to : minute >= from || minute < to;
};
