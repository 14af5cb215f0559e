import {widthOf} from '../parts/cells.ts';
import type {State} from '../store/state.ts';
import type {Family, Group, Scope} from './row.ts';
import {type ActionId, type Binding, bindings, scopesOf} from './table.ts';

export type Resolved =
	| {readonly kind: 'action'; readonly action: ActionId}
	/** The key is bound, but not available now. */
	| {readonly kind: 'blocked'; readonly reason: string};

/** The effect of a key with the current focus. Undefined if it is not bound there. */
export const resolveKey = (name: string, state: State): Resolved | undefined => {
	const found = activeBindings(state).find(({keys}) => keys.includes(name));
	return found && resolveAction(found, state);
};

export const resolveAction = (binding: Binding, state: State): Resolved => {
	const reason = blockedReason(binding, state);
	return reason === undefined ? {kind: 'action', action: binding.action} : {kind: 'blocked', reason};
};

const blockedReason = ({acts, blocked}: Binding, state: State): string | undefined =>
	(acts && readOnlyReason(state)) ?? blocked?.(state);

/** Why actions are not available. Undefined if the bus is reachable and the present is shown. */
export const readOnlyReason = ({status, past}: State): string | undefined => {
	if (past !== undefined) return 'This is how the trace was: Esc shows it as it is now.';
	return status.bus.state === 'unreachable'
		? 'The bus is unreachable: what you see is read only.'
		: undefined;
};

/**
 * Bindings of the active scopes, the nearest scope first. A key of a nearer scope hides the same key of
 * others.
 */
export const activeBindings = (state: State): readonly Binding[] => {
	const taken = new Set<string>();
	return scopesOf(state).flatMap(scope => {
		const own = bindings
			.filter(binding => binding.scope === scope)
			.map(binding => withoutKeys(binding, taken));
		for (const {keys} of own) for (const key of keys) taken.add(key);
		return own;
	});
};

const withoutKeys = (binding: Binding, taken: ReadonlySet<string>): Binding =>
	binding.keys.some(key => taken.has(key))
		? {...binding, keys: binding.keys.filter(key => !taken.has(key))}
		: binding;

/** The same in the order of the table. */
export const activeInOrder = (state: State): readonly Binding[] =>
	activeBindings(state).toSorted(
		(one, other) => tableOrder.indexOf(one.action) - tableOrder.indexOf(other.action),
	);

const tableOrder = bindings.map(({action}) => action);

export type Hint = {readonly key: string; readonly label: string};

const hintGap = 2;
/** Help and quit are shown at any width. */
const alwaysShown: readonly ActionId[] = ['help', 'quit'];

/** The keys that work now, by rank, as many as fit. */
export const footerHints = (state: State, width: number): readonly Hint[] => {
	const usable = activeBindings(state)
		.filter(
			binding =>
				binding.hint !== undefined && binding.keys.length > 0 && blockedReason(binding, state) === undefined,
		)
		.toSorted((a, b) => (a.hint ?? 0) - (b.hint ?? 0));
	const isNarrow = width < 100;
	const hintOf = ({action, keys, label, short, says}: Binding): Hint => ({
		key: action === 'move.up' ? '↑↓' : keyLabel(keys[0] ?? ''),
		label: says?.(state) ?? (isNarrow ? (short ?? label) : label),
	});
	const kept = usable.filter(({action}) => alwaysShown.includes(action));
	let room = width - kept.reduce((sum, binding) => sum + hintWidth(hintOf(binding)), 0);
	const shown = usable.filter(binding => {
		if (kept.includes(binding)) return true;
		const size = hintWidth(hintOf(binding));
		if (size > room) return false;
		room -= size;
		return true;
	});
	return shown.map(hintOf);
};

/**
 * How to perform these actions now, if they are possible: with their own key, else by name in the palette.
 */
export const hintsFor = (state: State, actions: readonly string[]): readonly Hint[] => {
	const active = activeBindings(state);
	const named = active.find(({action}) => action === 'palette')?.keys[0] ?? '';
	return actions.flatMap(id => {
		const binding = active.find(({action}) => action === id);
		if (binding === undefined || blockedReason(binding, state) !== undefined) return [];
		return [{key: keyLabel(binding.keys[0] ?? named), label: labelOf(binding, state)}];
	});
};

/** The current label of an action. */
export const labelOf = ({says, label}: Binding, state: State): string => says?.(state) ?? label;

const hintWidth = (hint: Hint): number => widthOf(hintText(hint)) + hintGap;

/** A key and its label. Some keys have no label. */
export const hintText = ({key, label}: Hint): string => (label ? `${key} ${label}` : key);

export type HelpRow = {
	readonly group: Group | 'First';
	readonly keys: string;
	readonly label: string;
	readonly help: string;
};

/**
 * The ten keys that matter first, also while they do nothing, each with its meaning here. Only their main
 * keys are shown.
 */
export const firstHelpRows = (state: State): readonly HelpRow[] =>
	groupHelpRows(firstBindings(state)).map(row => ({...row, group: 'First'}));

/** The other keys that work here, in groups. A family shares a row. */
export const helpRows = (state: State): readonly HelpRow[] => {
	const first = firstBindings(state).map(({action}) => action);
	return groupHelpRows(
		activeInOrder(state)
			.filter(
				binding =>
					binding.keys.length > 0 &&
					!isFirst(binding) &&
					!first.includes(binding.action) &&
					blockedReason(binding, state) === undefined,
			)
			.map(binding => ({...binding, label: labelOf(binding, state)})),
	);
};

const isFirst = ({first}: Binding): boolean => first !== undefined;

const firstBindings = (state: State): readonly Binding[] => {
	const active = activeBindings(state);
	return bindings
		.filter(isFirst)
		.toSorted((a, b) => (a.first ?? 0) - (b.first ?? 0))
		.map(binding => {
			const keys = binding.keys.slice(0, 1);
			const here = active.find(({keys: own}) => own.includes(keys[0] ?? '')) ?? binding;
			return {...here, label: labelOf(here, state), keys};
		});
};

/** All keys of the dashboard whose name, label or help matches, in any scope. */
export const searchHelp = (text: string): readonly HelpRow[] => {
	const words = text.toLowerCase().split(' ').filter(Boolean);
	return groupHelpRows(bindings.filter(({keys}) => keys.length > 0).map(withScope)).filter(
		({keys, label, help}) =>
			words.every(word => keys === text || `${keys} ${label} ${help}`.toLowerCase().includes(word)),
	);
};

const groupHelpRows = (usable: readonly Binding[]): readonly HelpRow[] =>
	usable.flatMap((binding, index): HelpRow[] => {
		const {group, family} = binding;
		if (family && usable[index - 1]?.family === family) return [];
		const together = family ? usable.filter(other => other.family === family) : [binding];
		const keys = together.flatMap(({keys: own}) => own.map(keyLabel)).join(' ');
		const {label, help} = family ? familyLabels[family] : binding;
		return [{group, keys, label, help}];
	});

const withScope = (binding: Binding): Binding => ({
	...binding,
	help: [binding.help, scopeLabels[binding.scope]].join(' ').trim(),
});

const scopeLabels: Readonly<Record<Scope, string>> = {
	everywhere: '',
	begin: 'While nothing was asked for.',
	texts: 'In a text.',
	traces: 'In the traces.',
	folded: 'At the finished traces.',
	unfolded: 'Among the finished traces.',
	log: 'In the log.',
	detail: 'In a detail.',
	live: 'In the live diff.',
	past: 'On a trace.',
	diff: 'In the diff.',
	events: 'In the events.',
	sessions: 'In the sessions.',
	invite: 'On an invite.',
	plan: 'On a plan that waits.',
	run: 'On a run.',
};

const familyLabels: Readonly<Record<Family, Pick<HelpRow, 'label' | 'help'>>> = {
	move: {label: 'move', help: 'One row up or down.'},
	page: {label: 'page', help: 'One page up or down.'},
	half: {label: 'half a page', help: 'Half a page up or down.'},
	ends: {label: 'first, last', help: 'To the first or the last row.'},
	sides: {label: 'sideways', help: 'Scroll to the left or to the right.'},
	pane: {label: 'pane', help: 'To the next or the previous pane.'},
	tab: {label: 'tab', help: 'Traces, runs, review, events, sessions, colony.'},
	tabs: {label: 'next tab', help: 'To the previous or the next tab.'},
	match: {label: 'match', help: 'Next or previous match.'},
	past: {label: 'earlier, later', help: 'The trace as it was one event earlier or later.'},
	part: {label: 'part', help: 'Previous or next part of the detail.'},
	hunk: {label: 'hunk', help: 'Previous or next hunk.'},
	file: {label: 'file', help: 'Previous or next file.'},
};

const keyNames: Readonly<Record<string, string>> = {
	up: '↑',
	down: '↓',
	left: '←',
	right: '→',
	enter: 'Enter',
	esc: 'Esc',
	tab: 'Tab',
	'shift+tab': 'Shift+Tab',
	pgup: 'PgUp',
	pgdn: 'PgDn',
	space: 'Space',
	home: 'Home',
	end: 'End',
};

/** A key as shown to people. */
export const keyLabel = (name: string): string =>
	keyNames[name] ?? name.replace(/^ctrl\+(.)$/, (_, letter: string) => `Ctrl+${letter.toUpperCase()}`);
