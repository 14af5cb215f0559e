import type {CommandOffer} from '../../host/command-offer.ts';
import {type Subject, subjectOf} from '../store/selectors.ts';
import type {State} from '../store/state.ts';
import {commandLineFor, isOffered} from './commands.ts';
import {activeInOrder, keyLabel, labelOf, resolveAction} from './resolve.ts';
import type {ActionId, Binding} from './table.ts';

/** A row of the palette: an action of the dashboard, or a command line to run. */
export type PaletteRow = {
	readonly id: string;
	readonly key: string;
	readonly label: string;
	readonly help: string;
	/** Why it is not available now. */
	readonly reason?: string;
	/** The equivalent command. */
	readonly command?: string;
	readonly runs: {readonly binding: Binding} | {readonly line: string};
};

/** Basic keys that are not searched for by name. */
const unlistedActions: readonly ActionId[] = ['open', 'back', 'leave', 'live.close', 'palette', 'interrupt'];

/**
 * Every action available here, and every command without an equivalent action, filtered by the text.
 * Available ones come first.
 */
export const paletteRows = (state: State, text: string): readonly PaletteRow[] => {
	const words = text.toLowerCase().split(' ').filter(Boolean);
	const actions = activeInOrder(state)
		.filter(({group, action}) => group !== 'Move' && !unlistedActions.includes(action))
		.map(binding => actionRow(binding, state));
	const commands = state.commands
		.filter(offer => isOffered(offer) && !actions.some(({id}) => id === offer.path.replaceAll(' ', '.')))
		.map(offer => commandRow(offer, subjectOf(state)));
	return [...actions, ...commands]
		.filter(({id, label, help}) => words.every(word => `${id} ${label} ${help}`.toLowerCase().includes(word)))
		.toSorted((a, b) => Number(a.reason !== undefined) - Number(b.reason !== undefined));
};

const actionRow = (binding: Binding, state: State): PaletteRow => {
	const resolved = resolveAction(binding, state);
	const command = binding.command?.(subjectOf(state));
	const {action, keys, help} = binding;
	const label = labelOf(binding, state);
	return {
		...{id: action, key: keyLabel(keys[0] ?? ''), label, help, runs: {binding}},
		...(resolved.kind === 'blocked' ? {reason: resolved.reason} : {}),
		...(command === undefined ? {} : {command}),
	};
};

const commandRow = (offer: CommandOffer, subject: Subject): PaletteRow => {
	const line = commandLineFor(offer, subject);
	return {
		...{id: offer.path, key: '', label: offer.path, help: `${offer.path}: ${offer.summary}`},
		...{command: `hive ${line}`, runs: {line}},
	};
};
