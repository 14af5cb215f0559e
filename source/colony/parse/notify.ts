import {
	defaultNotify,
	type NotifyCategory,
	type NotifyLevel,
	type NotifySettings,
	notifyCategories,
	notifyLevels,
	notifyWays,
} from '../../domain/notify.ts';
import {command, fields, oneOf, type Reader, truth} from './reader.ts';

const level = oneOf(notifyLevels);

const levels = Object.fromEntries(notifyCategories.map(category => [category, level])) as Record<
	NotifyCategory,
	Reader<NotifyLevel>
>;

const notifyFields = fields({...levels, by: oneOf(notifyWays), title: truth, command});

/**
 * Reads `notify` of `config.yaml`: a level for each category, and the way. Unset values have their default.
 */
export const readNotify: Reader<NotifySettings> = (tree, notes) => {
	const read = notifyFields(tree, notes);
	if (read === undefined) return undefined;
	const {by = defaultNotify.by, title = defaultNotify.title, command: argv, ...set} = read;
	return {levels: {...defaultNotify.levels, ...set}, by, title, ...(argv && {command: argv})};
};
