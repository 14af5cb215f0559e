import {panesOf} from '../store/selectors.ts';
import {type State, type Tab, tabs} from '../store/state.ts';
import type {Row} from './row.ts';

/** The reason if the tab has only one pane. */
export const needsPanes = (state: State): string | undefined =>
	!state.live && (state.detail || panesOf(state).length > 1) ? undefined : 'There is one pane here.';

const tabHelp: Readonly<Record<Tab, string>> = {
	traces: 'Traces.',
	runs: 'Runs of all traces.',
	review: 'What waits for you.',
	events: 'The event log.',
	sessions: 'Programs that you talk with.',
	colony: 'Bees and problems.',
};

/** The digit of a tab is its position. */
const tabRow = (tab: Tab, index: number) => ({
	action: `tab.${tab}` as const,
	keys: [String(index + 1)],
	scope: 'everywhere' as const,
	family: 'tab' as const,
	label: tab,
	help: tabHelp[tab],
	first: 6,
});

/** Rows of moving. */
export const moveRows = [
	{
		action: 'move.up',
		keys: ['up', 'k'],
		scope: 'everywhere',
		family: 'move',
		label: 'move',
		short: '',
		help: 'One row up.',
		first: 2,
		hint: 1,
	},
	{
		action: 'move.down',
		keys: ['down', 'j'],
		scope: 'everywhere',
		family: 'move',
		label: 'down',
		help: 'One row down.',
		first: 2,
	},
	{
		action: 'move.pageUp',
		keys: ['pgup', 'ctrl+b'],
		scope: 'everywhere',
		family: 'page',
		label: 'page up',
		help: 'One page up.',
	},
	{
		action: 'move.pageDown',
		keys: ['pgdn', 'ctrl+f'],
		scope: 'everywhere',
		family: 'page',
		label: 'page down',
		help: 'One page down.',
	},
	{
		action: 'move.halfUp',
		keys: ['ctrl+u'],
		scope: 'everywhere',
		family: 'half',
		label: 'half a page up',
		help: 'Half a page up.',
	},
	{
		action: 'move.halfDown',
		keys: ['ctrl+d'],
		scope: 'everywhere',
		family: 'half',
		label: 'half a page down',
		help: 'Half a page down.',
	},
	{
		action: 'move.first',
		keys: ['g', 'home'],
		scope: 'everywhere',
		family: 'ends',
		label: 'first',
		help: 'To the first row.',
	},
	{
		action: 'move.last',
		keys: ['G', 'end'],
		scope: 'everywhere',
		family: 'ends',
		label: 'last',
		help: 'To the last row.',
	},
	{
		action: 'move.left',
		keys: ['left', 'h'],
		scope: 'texts',
		family: 'sides',
		label: 'left',
		help: 'Scroll to the left.',
	},
	{
		action: 'move.right',
		keys: ['right', 'l'],
		scope: 'texts',
		family: 'sides',
		label: 'right',
		help: 'Scroll to the right.',
	},
	{
		action: 'pane.next',
		keys: ['tab', 'right', 'l'],
		scope: 'everywhere',
		family: 'pane',
		label: 'pane',
		short: '',
		help: 'To the next pane.',
		first: 5,
		hint: 2,
		blocked: needsPanes,
	},
	{
		action: 'pane.previous',
		keys: ['shift+tab', 'left', 'h'],
		scope: 'everywhere',
		family: 'pane',
		label: 'previous pane',
		help: 'To the previous pane.',
		first: 5,
		blocked: needsPanes,
	},
	{
		action: 'tab.previous',
		keys: ['['],
		scope: 'everywhere',
		family: 'tabs',
		label: 'previous tab',
		help: 'To the previous tab.',
	},
	{
		action: 'tab.next',
		keys: [']'],
		scope: 'everywhere',
		family: 'tabs',
		label: 'tab',
		help: 'To the next tab.',
	},
	...tabs.map(tabRow),
] as const satisfies readonly Row[];
