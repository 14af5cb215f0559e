import type {NotifyCategory} from '../domain/notify.ts';
import type {ChatSettings} from '../host/host.ts';

type Policy = Pick<ChatSettings, 'notify' | 'quiet'>;

/** How loudly something is told now; nothing when it is not told. */
export const loudness = (
	{notify, quiet}: Policy,
	category: NotifyCategory,
	now: number,
): 'silent' | 'sound' | undefined => {
	const wanted = notify[category];
	if (wanted === 'off') return undefined;
	return wanted === 'sound' && isQuiet(quiet, now) ? 'silent' : wanted;
};

/** The hours may go over midnight; from a time to the same is the whole day. */
const isQuiet = (quiet: Policy['quiet'], now: number): boolean => {
	if (quiet === undefined) return false;
	const date = new Date(now);
	const minute = date.getHours() * 60 + date.getMinutes();
	const {from, to} = quiet;
	return from < to ? minute >= from && minute < to : minute >= from || minute < to;
};
