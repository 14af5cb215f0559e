import {
	type NotifyCategory,
	type NotifyLevel,
	type NotifySettings,
	notifyCategories,
	notifyLevels,
	notifyWays,
	usualNotify,
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
	const {by = usualNotify.by, title = usualNotify.title, command: argv, ...set} = read;
	return {levels: {...usualNotify.levels, ...set}, by, title, ...(argv && {command: argv})};
};
