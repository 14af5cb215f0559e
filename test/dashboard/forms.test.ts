import {afterEach, beforeEach, describe, expect, it} from 'vitest';
import {accepted} from '../../source/domain/errors.ts';
import {buildTrace} from './build-trace.ts';
import {fixtureTraces} from './fixture-world.ts';
import {type Driver, drive} from './screen-of.ts';

let driver: Driver;
afterEach(() => driver.stop());

const open = async (key: string, ...more: Parameters<typeof drive>): Promise<void> => {
	driver = await drive(...more);
	driver.press(key);
	driver.wait(300);
};

describe('the dialog of a request', () => {
	it('takes any number of lines, and sends them with Ctrl+D without another question', async () => {
		await open('c');
		driver.type('Dark theme');
		driver.press('enter');
		driver.paste('with a switch\nin the header');
		driver.press('ctrl+d');
		await driver.settled();
		expect(driver.asked).toEqual([
			{
				action: 'cue.run',
				input: {cueId: 'feature', text: 'Dark theme\nwith a switch\nin the header'},
			},
		]);
	});

	it('sends with its button too', async () => {
		await open('c');
		driver.type('Dark theme');
		driver.press('tab', 'tab', 'tab', 'right', 'enter');
		await driver.settled();
		expect(driver.asked[0]).toMatchObject({input: {cueId: 'feature', text: 'Dark theme'}});
	});

	it('names the branch to land on', async () => {
		await open('c');
		driver.type('Dark theme');
		driver.press('tab');
		driver.type('release');
		driver.press('ctrl+d');
		await driver.settled();
		expect(driver.asked[0]).toMatchObject({input: {text: 'Dark theme', base: 'release'}});
	});

	it('opens on the cue feature, whatever its position', async () => {
		const cues = ['bugfix', 'feature', 'hotfix'].map(id => ({
			...{id, description: `About ${id}`},
			...{planReview: 'none' as const, params: []},
		}));
		await open('c', undefined, {cues: () => cues});
		expect(driver.screen()).toContain('(•) feature');
	});

	it('takes the text of an editor with its lines', async () => {
		await open('c', undefined, {edit: async text => `${text}\n\nin the header\n`});
		driver.type('Dark theme');
		driver.press('ctrl+g');
		await driver.settled();
		driver.press('ctrl+d');
		await driver.settled();
		expect(driver.asked[0]).toMatchObject({input: {text: 'Dark theme\n\nin the header'}});
	});

	it('selects the new trace, whatever was selected and filtered before', async () => {
		const traceId = 'trace-019affff00000001';
		driver = await drive(undefined, {act: async () => accepted({said: `Trace: ${traceId}`, traceId})});
		driver.press('3', 'c');
		driver.wait(300);
		driver.type('Dark theme');
		driver.press('ctrl+d');
		await driver.settled();
		const made = buildTrace(traceId, {title: 'Dark theme'});
		driver.tell.update({traces: new Map([...fixtureTraces, [traceId, made]]), events: []});
		await driver.settled();
		const {tab, selected} = driver.store.getState();
		expect([tab, selected.traces]).toEqual(['traces', traceId]);
		expect(driver.screen()).toContain('Dark theme');
	});

	it('shows its text, its cues and its buttons on the smallest screen', async () => {
		await open('c', {columns: 60, rows: 15});
		driver.paste('one\ntwo\nthree\nfour\nfive');
		for (const shown of ['three', 'five', '(•) feature', '[ Cancel ]', '[ Ctrl+D Run ]'])
			expect(driver.screen()).toContain(shown);
	});
});

describe('input right after a dialog opens', () => {
	beforeEach(async () => {
		driver = await drive();
	});
	const form = () => {
		const {mode} = driver.store.getState();
		return mode.kind === 'form' ? mode.form : undefined;
	};

	it('is kept as text with its lines, pasted or typed', async () => {
		driver.press('c');
		driver.paste('Dark theme\nwith ');
		driver.type('a switch');
		driver.press('enter');
		driver.type('soon');
		expect(form()?.fields[0]?.input.text).toBe('Dark theme\nwith a switch\nsoon');
	});

	it('neither sends, moves nor leaves the dialog', async () => {
		driver.press('K');
		driver.press('y', 'enter', 'tab', 'up', 'esc');
		expect(form()?.fields.map(({input}) => input.text)).toEqual(['']);
		expect(form()?.focus).toBe(1);
		driver.press('esc', 'c', 'x', 'ctrl+d', 'esc');
		expect(form()?.title).toContain('Kill');
		expect(driver.asked).toEqual([]);
	});

	it('is ignored in a dialog without a text', async () => {
		driver.press('a');
		driver.paste('y');
		driver.press('y', 'enter');
		expect(form()?.focus).toBe(0);
		expect(driver.asked).toEqual([]);
	});
});

describe('leaving a dialog', () => {
	it('asks before it discards text, and stays with any other key', async () => {
		await open('x');
		driver.type('half a thought');
		driver.press('esc');
		expect(driver.screen()).toContain('Esc again throws away what you wrote.');
		driver.type(', whole now');
		expect(driver.screen()).not.toContain('Esc again');
		driver.press('esc', 'esc');
		expect(driver.screen()).not.toContain('whole now');
		expect(driver.asked).toEqual([]);
	});

	it('asks the same for Cancel', async () => {
		await open('x');
		driver.type('a thought');
		driver.press('tab', 'enter');
		expect(driver.screen()).toContain('Esc again throws away what you wrote.');
		driver.press('enter');
		expect(driver.store.getState().mode.kind).toBe('browse');
	});

	it('takes one Esc if no text was written', async () => {
		await open('x');
		driver.press('esc');
		expect(driver.store.getState().mode.kind).toBe('browse');
	});
});

describe('arrows in a dialog', () => {
	const focus = (): number => {
		const {mode} = driver.store.getState();
		return mode.kind === 'form' ? mode.form.focus : -1;
	};

	it.each(['c', 'x', 'C', '+'])(
		'stay in their field after %s opens a dialog: only Tab moves to a button',
		async opens => {
			await open(opens);
			const {mode} = driver.store.getState();
			const fields = mode.kind === 'form' ? mode.form.fields.length : 0;
			for (const key of ['up', 'up', 'down', 'down', 'down', 'left', 'right', 'right']) driver.press(key);
			expect(focus()).toBeLessThan(Math.max(1, fields));
			driver.press('shift+tab');
			expect(focus()).not.toBe(-1);
		},
	);

	it('move between the buttons if a button has the focus', async () => {
		await open('a');
		expect(driver.screen()).toContain('>[ Cancel ]');
		driver.press('right');
		expect(driver.screen()).toContain('>[ y Approve ]');
		driver.press('down');
		expect(driver.screen()).toContain('>[ Cancel ]');
	});
});
