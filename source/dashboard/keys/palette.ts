import {subjectOf} from '../store/selectors.ts';
import type {State} from '../store/state.ts';
import {activeInOrder, resolveAction} from './resolve.ts';
import type {ActionId, Binding} from './table.ts';

export type PaletteRow = {
	readonly binding: Binding;
	/** Why it cannot be done now. */
	readonly reason?: string;
	readonly command?: string;
};

/** Keys of the hand, which nobody looks for by name. */
const unnamed: readonly ActionId[] = ['open', 'back', 'palette', 'interrupt'];

/** Every action that there is here and whose words match, with the command that does the same; those that can be done first. */
export const paletteRows = (state: State, text: string): readonly PaletteRow[] => {
	const words = text.toLowerCase().split(' ').filter(Boolean);
	return activeInOrder(state)
		.filter(({group, action}) => group !== 'Move' && !unnamed.includes(action))
		.filter(({action, label, help}) =>
			words.every(word => `${action} ${label} ${help}`.toLowerCase().includes(word)),
		)
		.map(binding => paletteRow(binding, state))
		.toSorted((a, b) => Number(a.reason !== undefined) - Number(b.reason !== undefined));
};

const paletteRow = (binding: Binding, state: State): PaletteRow => {
	const resolved = resolveAction(binding, state);
	const command = binding.command?.(subjectOf(state));
	return {
		binding,
		...(resolved.kind === 'blocked' ? {reason: resolved.reason} : {}),
		...(command === undefined ? {} : {command}),
	};
};
