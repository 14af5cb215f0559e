import {stripVTControlCharacters} from 'node:util';
import {cleanup, render} from 'ink-testing-library';
import {afterEach, describe, expect, it} from 'vitest';
import {App} from '../../source/dashboard/app.tsx';
import {handlePress} from '../../source/dashboard/handle/press.ts';
import {focusedPane} from '../../source/dashboard/store/selectors.ts';
import {selectedTrace, traceList} from '../../source/dashboard/store/trace-list.ts';
import {createFixtureWorld} from './fixture-world.ts';
import {type Driver, drive} from './screen-of.ts';

let driver: Driver;
afterEach(() => {
	cleanup();
	driver.stop();
});

/** The dashboard as it is drawn, with a mouse: clicks where a text stands. */
const open = async () => {
	driver = await drive({columns: 100, rows: 36});
	const {store, context} = driver;
	const {stdin, lastFrame} = render(
		<App
			store={store}
			theme="no-color"
			header={createFixtureWorld().world.header}
			onPress={press => handlePress(context, press)}
		/>,
	);
	// As many turns as it takes until the keyboard is listened to.
	while (stdin.listenerCount('readable') === 0) await new Promise(setImmediate);
	const at = (text: string, button = 0): void => {
		// Tests before this one in the same worker may have set a level of colour, whose codes take no column.
		const rows = stripVTControlCharacters(lastFrame() ?? '').split('\n');
		const row = rows.findIndex(line => line.includes(text));
		const column = rows[row]?.indexOf(text) ?? -1;
		expect([text, row, column]).not.toContain(-1);
		stdin.write(`\x1b[<${button};${column + 1};${row + 1}M`);
	};
	return {click: at, roll: (text: string) => at(text, 65), state: store.getState};
};

describe('the mouse', () => {
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

	it('gives a pane the focus, and rolls what is in it', async () => {
		const {click, roll, state} = await open();
		click('Tasks');
		expect(focusedPane(state())).toBe('tasks');
		roll('Bump deps');
		expect(focusedPane(state())).toBe('traces');
		expect(traceList.position(state())).toBeGreaterThan(0);
	});

	it('touches nothing below a dialog', async () => {
		const {click, state} = await open();
		driver.press('x');
		await new Promise(setImmediate);
		click('Bump deps');
		expect(state().mode.kind).toBe('form');
		expect(traceList.position(state())).toBe(0);
	});
});

describe('space', () => {
	it('marks rows of the review queue, which Esc unmarks', async () => {
		driver = await drive();
		driver.press('3', 'space');
		expect(driver.store.getState().marks.queue?.size).toBe(1);
		expect(driver.screen()).toContain('│•');
		driver.press('esc');
		expect(driver.screen()).not.toContain('│•');
	});

	it('says where nothing is done to several rows', async () => {
		driver = await drive();
		driver.press('space');
		expect(driver.screen()).toContain('Nothing is done here to several rows at once.');
	});
});
