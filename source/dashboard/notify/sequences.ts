import type {NotifySettings} from '../../domain/notify.ts';
import {sanitizeLine} from '../../domain/sanitize.ts';
import type {Notification} from './due.ts';

const bell = '\x07';
const end = '\x1b\\';

/** Characters of a message; what is longer is cut. */
const longest = 200;

/** What a terminal is sent for it; nothing where it has no words for what makes no sound. */
export const notifySequence = (
	{title, text, level}: Pick<Notification, 'title' | 'text' | 'level'>,
	by: NotifySettings['by'],
): string => {
	const sound = level === 'sound' ? bell : '';
	switch (by) {
		case 'bell':
			return sound;
		case 'osc9':
			return `\x1b]9;${plain(`hive: ${title}: ${text}`)}${end}${sound}`;
		case 'osc777':
			return `\x1b]777;notify;${plain(title)};${plain(text)}${end}${sound}`;
	}
};

/** The title of a terminal: how much waits, and for which colony. */
export const titleSequence = (count: number, slug: string): string =>
	`\x1b]2;${count === 0 ? '' : `(${count}) `}hive ${plain(slug)}${end}`;

/** One line without a control character; `;` would be the end of a field. */
const plain = (text: string): string => sanitizeLine(text).replaceAll(';', ',').slice(0, longest);
