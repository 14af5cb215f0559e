import type {NotifySettings} from '../../domain/notify.ts';
import {sanitizeLine} from '../../domain/sanitize.ts';
import type {Notification} from './due.ts';

const bell = '\x07';
const end = '\x1b\\';

/** Max characters of a message. */
const maxMessageLength = 200;

/** The terminal's control sequence for a notification. Empty if the terminal has none for a silent one. */
export const notifySequence = (
	{title, text, level}: Pick<Notification, 'title' | 'text' | 'level'>,
	by: NotifySettings['by'],
): string => {
	const sound = level === 'sound' ? bell : '';
	switch (by) {
		case 'bell':
			return sound;
		case 'osc9':
			return `\x1b]9;${plainLine(`hive: ${title}: ${text}`)}${end}${sound}`;
		case 'osc777':
			return `\x1b]777;notify;${plainLine(title)};${plainLine(text)}${end}${sound}`;
	}
};

/** Sets the terminal's title: the number of waiting causes, and the colony. */
export const titleSequence = (count: number, slug: string): string =>
	`\x1b]2;${count === 0 ? '' : `(${count}) `}hive ${plainLine(slug)}${end}`;

/** One line without control characters. `;` would end a field. */
const plainLine = (text: string): string =>
	sanitizeLine(text).replaceAll(';', ',').slice(0, maxMessageLength);
