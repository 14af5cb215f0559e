import {describe, expect, it} from 'vitest';
import {paletteRows} from '../../source/dashboard/keys/palette.ts';
import {
	activeBindings,
	footerHints,
	helpRows,
	hintText,
	resolveKey,
} from '../../source/dashboard/keys/resolve.ts';
import {bindings} from '../../source/dashboard/keys/table.ts';
import {focusPane, openTab, setMode} from '../../source/dashboard/store/changes.ts';
import {type PaneId, tabPanes, tabs} from '../../source/dashboard/store/state.ts';
import {drive, loadedState, textOf} from './screen-of.ts';

const places = tabs.flatMap(tab => tabPanes[tab].map(pane => [tab, pane] as const));
const panes = [...new Set(tabs.flatMap(tab => tabPanes[tab]))];
const footer = (pane: PaneId, width: number): string => {
	const tab = tabs.find(name => tabPanes[name].includes(pane)) ?? 'traces';
	const state = focusPane(pane)(openTab(tab)(loadedState({columns: width, rows: 36})));
	return footerHints(state, width - 2)
		.map(hintText)
		.join('  ');
};

describe('the key table', () => {
	it.each(places)('gives each key one meaning in %s while %s has the focus', (tab, pane) => {
		const keys = activeBindings(focusPane(pane)(openTab(tab)(loadedState()))).flatMap(({keys: own}) => own);
		expect(keys).toEqual([...new Set(keys)]);
	});

	it('binds nothing that a terminal, screen or tmux needs', () => {
		const taken = [
			'ctrl+s',
			'ctrl+q',
			'ctrl+\\',
			'ctrl+d',
			'ctrl+h',
			'ctrl+i',
			'ctrl+j',
			'ctrl+m',
			'ctrl+a',
			'ctrl+b',
		];
		expect(bindings.flatMap(({keys}) => keys).filter(key => taken.includes(key))).toEqual([]);
	});

	it.each([80, 120])('offers in the footer what works now, at %i columns', async width => {
		const lines = panes.map(pane => `${pane.padEnd(8)} ${footer(pane, width)}`);
		for (const line of lines) expect(line.length - 9).toBeLessThanOrEqual(width - 2);
		await expect(lines.join('\n')).toMatchFileSnapshot(`golden/footer-${width}.txt`);
	});

	it('says why a key does nothing now', () => {
		const state = {...loadedState(), selected: {tasks: 'scout'}};
		expect(resolveKey('t', state)).toEqual({
			kind: 'blocked',
			reason: 'Only what failed, is paused, runs or waits can be retried.',
		});
		expect(resolveKey('a', state)).toEqual({kind: 'blocked', reason: 'Nothing here waits for a review.'});
		expect(resolveKey('~', state)).toBeUndefined();
	});

	it('refuses every act while the bus is unreachable, and nothing else', () => {
		const state = {
			...loadedState(),
			status: {reactor: 'none' as const, bus: {state: 'unreachable' as const, since: 0}, places: []},
		};
		for (const key of ['a', '+', 'K', 'c']) expect(resolveKey(key, state)?.kind).toBe('blocked');
		for (const key of ['q', 'z', '/', 'y']) expect(resolveKey(key, state)?.kind).toBe('action');
	});

	it('lists in the help only what works here, keys of one kind in one row', () => {
		const keys = helpRows(loadedState()).map(row => row.keys);
		expect(keys).toContain('a');
		expect(keys).toContain('1 2 3 4 5 6');
		expect(keys).not.toContain('[ ]');
		expect(helpRows(focusPane('diff')(openTab('review')(loadedState()))).map(row => row.keys)).toContain(
			'[ ]',
		);
	});

	it('shows every group of the help on the smallest screen, down to quit', () => {
		const help = setMode({kind: 'help'})(loadedState({columns: 60, rows: 15}));
		expect(textOf(help).join('\n')).toContain('q quit');
	});

	it.each(['events', 'colony'] as const)('offers no other pane where there is one: %s', tab => {
		const state = openTab(tab)(loadedState());
		for (const key of ['tab', 'z']) expect(resolveKey(key, state)?.kind).toBe('blocked');
	});

	it('begins the palette with what acts, and leaves out what is for other panes', () => {
		const actions = paletteRows(loadedState(), '').map(({binding}) => binding.action);
		expect(actions.slice(0, 2)).toEqual(['proposal.approve', 'proposal.reject']);
		expect(actions).toContain('task.cancel');
		expect(actions).not.toContain('hunk.next');
	});

	it('offers every action of the table that people can be asked for, with the command that does the same', () => {
		const rows = paletteRows(loadedState(), '');
		for (const id of ['proposal.update', 'task.start', 'freeze', 'thaw', 'purge'])
			expect(rows.find(({binding}) => binding.action === id)?.command).toMatch(
				new RegExp(`^hive ${id.replace('.', ' ')} --trace \\S+`),
			);
		expect(rows.map(({binding}) => binding.action)).not.toContain('task.create');
	});

	it('names the keys of a dialog while one is open', async () => {
		const driver = await drive();
		driver.press('+');
		expect(driver.screen()).toContain('Enter press  Esc cancel');
		expect(driver.screen()).not.toContain('K kill');
		driver.stop();
	});
});
