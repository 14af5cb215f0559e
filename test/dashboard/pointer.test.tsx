import {stripVTControlCharacters} from 'node:util';
import {cleanup, render} from 'ink-testing-library';
import {afterEach, describe, expect, it} from 'vitest';
import {App} from '../../source/dashboard/app.tsx';
import {handleInput} from '../../source/dashboard/handle/handle-input.ts';
import {focusedPane} from '../../source/dashboard/store/selectors.ts';
import {selectedTrace, traceList} from '../../source/dashboard/store/trace-list.ts';
import {createFixtureWorld} from './fixture-world.ts';
import {type Driver, drive} from './screen-of.ts';

let driver: Driver;
afterEach(() => {
	cleanup();
	driver.stop();
});

/** Opens the drawn dashboard with a mouse that clicks on a given text. */
const open = async () => {
	driver = await drive({columns: 100, rows: 36});
	const {store, context} = driver;
	const {stdin, lastFrame} = render(
		<App
			store={store}
			theme="no-color"
			header={createFixtureWorld().world.header}
			onInput={press => handleInput(context, press)}
		/>,
	);
	// Waits until the dashboard listens to the keyboard.
	while (stdin.listenerCount('readable') === 0) await new Promise(setImmediate);
	const at = (text: string, button = 0): void => {
		// Earlier tests in the same worker may have set a colour level, whose codes take no column.
		const rows = stripVTControlCharacters(lastFrame() ?? '').split('\n');
		const row = rows.findIndex(line => line.includes(text));
		const column = rows[row]?.indexOf(text) ?? -1;
		expect([text, row, column]).not.toContain(-1);
		stdin.write(`\x1b[<${button};${column + 1};${row + 1}M`);
	};
	return {click: at, roll: (text: string) => at(text, 65), state: store.getState};
};

describe('the mouse in the dashboard', () => {
	it('opens the tab that it clicks', async () => {
		const {click, state} = await open();
		click('Evt');
		expect(state().tab).toBe('events');
	});

	it('selects the row that it clicks, and opens the selected one', async () => {
		const {click, state} = await open();
		click('Bump deps');
		expect(selectedTrace(state())?.title).toBe('Bump deps');
		expect(focusedPane(state())).toBe('traces');
		await new Promise(setImmediate);
		click('Bump deps');
		expect(focusedPane(state())).toBe('tasks');
	});

	it('gives a pane the focus, and scrolls its content', async () => {
		const {click, roll, state} = await open();
		click('You asked');
		expect(focusedPane(state())).toBe('sheet');
		roll('Bump deps');
		expect(focusedPane(state())).toBe('traces');
		expect(traceList.position(state())).toBeGreaterThan(0);
	});

	it('has no effect below a dialog', async () => {
		const {click, state} = await open();
		driver.press('x');
		await new Promise(setImmediate);
		click('Bump deps');
		expect(state().mode.kind).toBe('form');
		expect(traceList.position(state())).toBe(0);
	});
});

describe('the space key', () => {
	it('marks rows of the review queue, and Esc unmarks them', async () => {
		driver = await drive();
		driver.press('3', 'space');
		expect(driver.store.getState().marks.queue?.size).toBe(1);
		expect(driver.screen()).toContain('│•');
		driver.press('esc');
		expect(driver.screen()).not.toContain('│•');
	});

	it('reports where rows cannot be marked', async () => {
		driver = await drive();
		driver.press('space');
		expect(driver.screen()).toContain('No action here takes several rows.');
	});
});
