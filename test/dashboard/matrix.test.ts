import xterm from '@xterm/headless';
import {describe, expect, it, vi} from 'vitest';
import type {ThemeSettings} from '../../source/dashboard/parts/theme.ts';
import {startScreenReader} from '../../source/dashboard/screen-reader.ts';
import {perObject} from '../../source/dashboard/store/memo.ts';
import type {State} from '../../source/dashboard/store/state.ts';
import {toAscii} from '../../source/dashboard/terminal/ascii.ts';
import {mountHeadless} from '../bench/headless-app.ts';
import {timeoutMs} from '../helpers/with-timeout.ts';
import {createFixtureWorld} from './fixture-world.ts';
import {type Driver, drive, textOf} from './screen-of.ts';

const sizes = [
	[60, 15],
	[80, 24],
	[120, 36],
	[160, 45],
	[200, 50],
] as const;

const looks: Readonly<Record<string, ThemeSettings>> = {
	dark: {theme: 'dark', ascii: false},
	light: {theme: 'light', ascii: false},
	'no colour': {theme: 'no-color', ascii: false},
	ascii: {theme: 'no-color', ascii: true},
};

/** Keys that lead from the previous screen to this one, and what the screen must show. */
type Stop = {readonly at: string; readonly keys: readonly string[]; readonly needs: readonly RegExp[]};

const usual = [/^ hive +acme-api/, /1 ?Tra.*3 ?Rev.*\(3\)/, /Enter/, /\? (help|more)/, /q quit/];
const dialog = [/\[ Cancel \]/, /Esc cancel/];

const walk: readonly Stop[] = [
	{at: 'traces', keys: ['1'], needs: [...usual, /Traces 1 of 4/, /▶◆? +Add OAuth login/, /a appr/]},
	{at: 'tasks', keys: ['tab'], needs: [...usual, /Tasks 4 of 6/, /Partial index/, /◆/]},
	{at: 'a detail', keys: ['i'], needs: [/Partial index/, /State +waiting/, /Esc/, /q quit/]},
	{at: 'runs', keys: ['esc', 'shift+tab', '2'], needs: [...usual, /Runs 1 of 4/, /Work on ui/, /▶ running/]},
	{at: 'the inbox', keys: ['3'], needs: [...usual, /Needs you 1 of 3/, /Partial ind/, /review/, /x rej/]},
	{at: 'approve', keys: ['a'], needs: [...dialog, /Approve /, /\[ y (Approve|Merge) \]/]},
	{at: 'merge', keys: ['esc', 'j', 'a'], needs: [...dialog, /Merge /, /\[ y (Approve|Merge) \]/]},
	{at: 'reject', keys: ['esc', 'x'], needs: [...dialog, /Ctrl\+D/, /Reject/]},
	{at: 'events', keys: ['esc', '4'], needs: [...usual, /Events 1 of 6/, /task\.status/, /Add OAuth/]},
	{at: 'an event', keys: ['enter'], needs: [/task\.status/, /Esc close/]},
	{at: 'sessions', keys: ['esc', '5'], needs: [/^ hive/, /Sessions/, /q quit/]},
	{at: 'the colony', keys: ['6'], needs: [/^ hive/, /acme-api/, /q quit/]},
	{at: 'a cue', keys: ['1', 'c'], needs: [...dialog, /Run a cue/, /What is it about/, /Ctrl\+D/]},
	{at: 'honey', keys: ['esc', '+'], needs: [...dialog, /Honey for/, /5 units/]},
	{at: 'kill', keys: ['esc', 'K'], needs: [...dialog, /Kill Add OAuth/, /\[ y Kill \]/]},
	{at: 'the palette', keys: ['esc', ':'], needs: [/Palette/, /Enter run/, /Esc close/]},
	{at: 'the help', keys: ['esc', '?'], needs: [/Help/, /search/, /Esc close/]},
	{at: 'a filter', keys: ['esc', '/', 'f', 'l'], needs: [/\/fl/, /Enter keep/, /Esc clear/]},
	{at: 'what was found', keys: ['enter'], needs: [...usual.slice(0, 2), /Traces 1 of 1/, /Fix flaky upload/]},
];

const escapeSign = '\u001b';
/** Sequences that set a colour; bold, faint and inverse do not. */
const colour = new RegExp(`${escapeSign}\\[(?:[\\d;]*;)?(?:3[0-8]|4[0-8]|9[0-7]|10[0-7])(?:;[\\d;]*)?m`);

/** Draws the dashboard of a store on a terminal whose screen can be read. */
const open = (
	store: Parameters<typeof mountHeadless>[0],
	[columns, rows]: readonly [number, number],
	look: ThemeSettings,
) => {
	const app = mountHeadless(store, {columns, rows}, look);
	const terminal = new xterm.Terminal({cols: columns, rows, allowProposedApi: true, convertEol: true});
	let raw = '';
	const screen = async (): Promise<readonly string[]> => {
		const text = app.taken();
		raw += text;
		await new Promise<void>(resolve => terminal.write(text, resolve));
		const {active} = terminal.buffer;
		return Array.from({length: rows}, (_, row) =>
			(active.getLine(row)?.translateToString(true) ?? '').trimEnd(),
		);
	};
	return {screen, raw: () => raw, unmount: app.unmount};
};

/** Returns the rows of a fresh first frame; the last row of a terminal stays free. */
const drawn = ({store}: Driver): readonly string[] => drawnOnce(store.getState());
const drawnOnce = perObject((state: State): readonly string[] => textOf(state).map(row => row.trimEnd()));

describe.each(sizes)('the dashboard at %ix%i, redrawn from screen to screen,', (...size) => {
	it('draws every screen and dialog as a fresh frame would be, in every look, with all its content', async () => {
		const [columns, rows] = size;
		const driver = await drive({columns, rows});
		const terminals = Object.entries(looks).map(([name, look]) => ({
			name,
			look,
			...open(driver.store, size, look),
		}));
		for (const {at, keys, needs} of walk) {
			for (const key of keys) {
				driver.press(key);
				driver.wait(300);
				await driver.settled();
			}
			const whole = drawn(driver).join('\n');
			for (const need of needs) expect(whole, at).toMatch(new RegExp(need.source, 'm'));
			for (const {name, look, screen} of terminals)
				await vi.waitFor(
					async () => {
						const rowsNow = await screen();
						const wanted = drawn(driver).map(row => (look.ascii ? toAscii(row) : row));
						expect(rowsNow, `${at}, ${name}`).toEqual([...wanted, '']);
					},
					{interval: 1, timeout: timeoutMs},
				);
		}
		for (const {name, look, raw, unmount} of terminals) {
			expect(colour.test(raw()), `colours of ${name}`).toBe(look.theme !== 'no-color');
			expect(/[^\0-~]/u.test(raw()), `signs of ${name}`).toBe(!look.ascii);
			unmount();
		}
		driver.stop();
	});
});

it('the dashboard sends a screen reader what needs a person, and draws nothing', async () => {
	const over = new AbortController();
	let said = '';
	const {world} = createFixtureWorld();
	const ended = startScreenReader(
		world,
		text => {
			said += text;
		},
		over.signal,
	);
	expect(said).toContain('4 traces, 1 of them finished');
	expect(said).toMatch(/These need you: 2 reviews, 1 blocked\./);
	expect(said).toContain('Ctrl+C ends it.');
	expect(said).not.toMatch(/[\u2500-\u257f\u2800-\u28ff]/u);
	expect(said).not.toContain('\u001b');
	over.abort();
	await ended;
});
