import {describe, expect, it} from 'vitest';
import {commandOffers} from '../../source/cli/command-offers.ts';
import {commandGroups} from '../../source/cli/commands.ts';
import {splitWords} from '../../source/dashboard/keys/commands.ts';
import {paletteRows} from '../../source/dashboard/keys/palette.ts';
import {
	activeBindings,
	firstHelpRows,
	footerHints,
	helpRows,
	hintText,
	resolveKey,
} from '../../source/dashboard/keys/resolve.ts';
import {bindings} from '../../source/dashboard/keys/table.ts';
import {commandsReceived} from '../../source/dashboard/store/feed-changes.ts';
import {select} from '../../source/dashboard/store/list-changes.ts';
import {setMode} from '../../source/dashboard/store/mode-changes.ts';
import {focusPane, openTab} from '../../source/dashboard/store/pane-changes.ts';
import {type PaneId, type Size, type Tab, tabPanes, tabs} from '../../source/dashboard/store/state.ts';
import {drive, loadedState, textOf} from './screen-of.ts';

const places = tabs.flatMap(tab => tabPanes[tab].map(pane => [tab, pane] as const));
const panes = [...new Set(tabs.flatMap(tab => tabPanes[tab]))];
/** A decision has all panes of the traces tab. */
const shown = (tab: Tab, pane: PaneId, size?: Size) =>
	focusPane(pane)(select('tasks', 'db-migration')(openTab(tab)(loadedState(size))));
const footer = (pane: PaneId, width: number): string => {
	const tab = tabs.find(name => tabPanes[name].includes(pane)) ?? 'traces';
	const state = shown(tab, pane, {columns: width, rows: 36});
	return footerHints(state, width - 2)
		.map(hintText)
		.join('  ');
};

describe('the key table', () => {
	it.each(places)('gives each key one meaning in %s while %s has the focus', (tab, pane) => {
		const keys = activeBindings(shown(tab, pane)).flatMap(({keys: own}) => own);
		expect(keys).toEqual([...new Set(keys)]);
	});

	it('binds no key that a terminal, screen or tmux needs', () => {
		const taken = ['ctrl+s', 'ctrl+q', 'ctrl+\\', 'ctrl+h', 'ctrl+i', 'ctrl+j', 'ctrl+m', 'ctrl+a'];
		expect(bindings.flatMap(({keys}) => keys).filter(key => taken.includes(key))).toEqual([]);
	});

	it.each([80, 120])('lists in the footer the keys that work now, at %i columns', async width => {
		const lines = panes.map(pane => `${pane.padEnd(8)} ${footer(pane, width)}`);
		for (const line of lines) expect(line.length - 9).toBeLessThanOrEqual(width - 2);
		await expect(lines.join('\n')).toMatchFileSnapshot(`golden/footer-${width}.txt`);
	});

	it('acts on the decision that the list of traces shows, not on the task selected behind it', () => {
		const state = select('tasks', 'scout')(loadedState());
		expect(textOf(state).join('\n')).toContain('You asked');
		expect(resolveKey('a', state)).toMatchObject({kind: 'action'});
		expect(resolveKey('a', focusPane('tasks')(state))).toMatchObject({kind: 'blocked'});
	});

	it('gives the reason why a key does nothing now', () => {
		const state = focusPane('tasks')(select('tasks', 'scout')(loadedState()));
		expect(resolveKey('t', state)).toEqual({
			kind: 'blocked',
			reason: 'Only what failed, is paused, runs or waits can be retried.',
		});
		expect(resolveKey('a', state)).toEqual({kind: 'blocked', reason: 'Nothing here waits for a review.'});
		expect(resolveKey('~', state)).toBeUndefined();
	});

	it('refuses every action while the bus is unreachable, and nothing else', () => {
		const state = {
			...loadedState(),
			status: {reactor: 'none' as const, bus: {state: 'unreachable' as const, since: 0}, places: []},
		};
		for (const key of ['a', '+', 'K', 'c']) expect(resolveKey(key, state)?.kind).toBe('blocked');
		for (const key of ['q', 'z', '/', 'y']) expect(resolveKey(key, state)?.kind).toBe('action');
	});

	it('lists in the help only keys that work here, with similar keys in one row', () => {
		const keys = helpRows(loadedState()).map(row => row.keys);
		expect(keys).toContain('+');
		expect(keys).toContain('g Home G End');
		expect(keys).not.toContain('{ }');
		expect(helpRows(focusPane('diff')(openTab('review')(loadedState()))).map(row => row.keys)).toContain(
			'{ }',
		);
	});

	it('opens the help with the ten keys that matter, on any tab, and has no other row for them', () => {
		const first = firstHelpRows(loadedState()).map(({keys}) => keys);
		expect(first).toEqual([
			...['c', '↑ ↓', 'Enter', 'Esc', 'Tab Shift+Tab', '1 2 3 4 5 6', 'a', 'x', ':', 'q'],
		]);
		const others = helpRows(loadedState()).map(({help}) => help);
		expect(others.filter(help => firstHelpRows(loadedState()).some(row => row.help === help))).toEqual([]);
	});

	it.each([
		[80, 24],
		[120, 36],
		[200, 50],
	])('has a whole sentence for each of the ten keys at %ix%i, and all others below', (columns, rows) => {
		const screen = textOf(setMode({kind: 'help', text: ''})(loadedState({columns, rows}))).join('\n');
		for (const {help} of firstHelpRows(loadedState())) expect(screen).toContain(help);
		expect(screen).toMatch(/First +c +Run a cue[\s\S]* q +Quit\.[\s\S]*Act +u [\s\S]*Ctrl\+C/);
	});

	it('has a digit for every tab, in order and without a gap', () => {
		const digits = bindings.filter(({keys}) => /^\d$/.test(keys[0] ?? ''));
		expect(digits.map(({action, keys}) => [action, keys[0]])).toEqual(
			tabs.map((tab, index) => [`tab.${tab}`, String(index + 1)]),
		);
	});

	it.each([
		['h', 'tasks', 'pane.previous'],
		['l', 'tasks', 'pane.next'],
		['h', 'log', 'move.left'],
		['l', 'log', 'move.right'],
		['ctrl+d', 'tasks', 'move.halfDown'],
		['ctrl+u', 'log', 'move.halfUp'],
		['ctrl+f', 'log', 'move.pageDown'],
		['ctrl+b', 'tasks', 'move.pageUp'],
		['[', 'tasks', 'tab.previous'],
		[']', 'log', 'tab.next'],
	] as const)('maps %s as similar programs do, in %s', (key, pane, action) => {
		expect(resolveKey(key, focusPane(pane)(loadedState()))).toEqual({kind: 'action', action});
	});

	it('moves between hunks with the brackets if there are hunks', () => {
		const state = focusPane('diff')(openTab('review')(loadedState()));
		expect(resolveKey(']', state)).toEqual({kind: 'action', action: 'hunk.next'});
	});

	it('searches all keys in the help, and states where each works', async () => {
		const driver = await drive();
		driver.press('?');
		driver.type('hunk');
		expect(driver.screen()).toMatch(/\[ \] +Previous or next hunk/);
		expect(driver.screen()).not.toContain('Kill the trace');
		driver.press('ctrl+u');
		driver.type('log');
		expect(driver.screen()).toContain('Wrap long lines. In the log.');
		driver.type('~');
		expect(driver.screen()).toContain('No key has that name.');
		driver.press('esc');
		expect(driver.store.getState().mode.kind).toBe('browse');
		driver.stop();
	});

	it('shows every group of the help on the smallest screen, down to quit', () => {
		const help = setMode({kind: 'help', text: ''})(loadedState({columns: 60, rows: 15}));
		expect(textOf(help).join('\n')).toContain('q quit');
	});

	it.each(['events', 'colony'] as const)('offers no other pane on a tab with one pane: %s', tab => {
		const state = openTab(tab)(loadedState());
		for (const key of ['tab', 'z']) expect(resolveKey(key, state)?.kind).toBe('blocked');
	});

	it('lists actions first in the palette, and omits keys of other panes', () => {
		const actions = paletteRows(loadedState(), '').map(({id}) => id);
		expect(actions.slice(0, 2)).toEqual(['proposal.approve', 'proposal.reject']);
		expect(actions).toContain('task.cancel');
		expect(actions).not.toContain('hunk.next');
	});

	it('lists every action with a form in the palette, with its equivalent command', () => {
		const rows = paletteRows(loadedState(), '');
		for (const id of ['proposal.update', 'task.start', 'freeze', 'thaw', 'purge'])
			expect(rows.find(row => row.id === id)?.command).toMatch(
				new RegExp(`^hive ${id.replace('.', ' ')} --trace \\S+`),
			);
		expect(rows.map(({id}) => id)).not.toContain('task.create');
	});

	it.each(tabs)('has every command of the command line in the palette, on the tab %s', async tab => {
		const commands = await commandOffers(commandGroups);
		const rows = paletteRows(openTab(tab)(commandsReceived(commands)(loadedState())), '');
		const missing = commands
			.map(({path}) => path)
			.filter(path => !rows.some(({id}) => id === path || id === path.replaceAll(' ', '.')));
		// Each of these has another way, or no use in a dashboard.
		const elsewhere = [
			'dashboard',
			'help',
			'session attach',
			'demo',
			'completion',
			'event emit',
			'run',
			'gate chat',
		];
		expect(missing.filter(path => !elsewhere.includes(path) && !path.startsWith('console'))).toEqual([]);
	});

	it('writes the selection into a command line in the palette, and runs the edited line', async () => {
		const ran: (readonly string[])[] = [];
		const driver = await drive(undefined, {
			commands: () => commandOffers(commandGroups),
			runCommand: async words => {
				ran.push(words);
				return {output: 'ui waits for nothing\n', exitCode: 0};
			},
		});
		driver.press(':');
		await driver.settled();
		driver.type('why');
		expect(driver.screen()).toContain('hive why db-migration');
		driver.press('enter');
		driver.wait(300);
		driver.type(' --json');
		driver.press('enter');
		await driver.settled();
		expect(ran).toEqual([['why', 'db-migration', '--json']]);
		expect(driver.screen()).toContain('ui waits for nothing');
		driver.stop();
	});

	it('keeps quoted words together in a command line', () => {
		expect(splitWords(`task create --title 'Two words' -b "it's" --review=none`)).toEqual([
			...['task', 'create', '--title', 'Two words', '-b', "it's", '--review=none'],
		]);
	});

	it('shows the keys of a dialog while it is open', async () => {
		const driver = await drive();
		driver.press('+');
		expect(driver.screen()).toContain('Enter press  Esc cancel');
		expect(driver.screen()).not.toContain('K kill');
		driver.stop();
	});
});
