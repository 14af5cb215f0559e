import {expect, it, onTestFinished, vi} from 'vitest';
import {drive} from './screen-of.ts';

const open = async (size?: {columns: number; rows: number}) => {
	const driver = await drive(size);
	onTestFinished(driver.stop);
	return driver;
};

it.each([
	[60, 15],
	[80, 24],
	[120, 36],
])(
	'e and E step a trace through its history, marked as past, and Esc returns to now, at %i x %i',
	async (columns, rows) => {
		const driver = await open({columns, rows});
		driver.press('tab');
		expect(driver.screen()).toContain('Final review');
		driver.press('e');
		await driver.settled();
		expect(driver.screen()).toContain(' PAST ');
		expect(driver.screen()).toContain('5 of 6');
		expect(driver.screen()).toMatch(/e earlier {2}E later {2}Esc now *$/m);
		expect(driver.screen()).not.toContain('Final review');
		driver.press('e', 'e');
		expect(driver.screen()).toContain('3 of 6');
		expect(driver.screen()).not.toContain('db-migration');
		driver.press('E');
		expect(driver.screen()).toContain('4 of 6');
		driver.press('esc');
		expect(driver.screen()).not.toContain(' PAST ');
		expect(driver.screen()).toContain('Final review');
	},
);

it('stepping past the last event shows the present trace, and stepping before the first does nothing', async () => {
	const driver = await open();
	driver.press('e');
	await driver.settled();
	driver.press('E');
	expect(driver.screen()).not.toContain(' PAST ');
	driver.press('e');
	await driver.settled();
	driver.press('e', 'e', 'e', 'e', 'e', 'e');
	expect(driver.screen()).toContain('1 of 6');
	expect(driver.screen()).toContain('This is the first event.');
});

it('a past trace accepts no action, neither by its keys nor in a dialog that was open', async () => {
	const driver = await open();
	driver.press('e');
	await driver.settled();
	for (const key of ['a', 'x', 't', '+', 'K', 'c']) {
		driver.press(key);
		await driver.settled();
		expect(driver.store.getState().mode.kind).toBe('browse');
		expect(driver.screen()).toContain('This is how the trace was: Esc shows it as it is now.');
	}
	expect(driver.asked).toEqual([]);
	driver.press('esc', '+');
	expect(driver.store.getState().mode.kind).toBe('form');
});

it('another trace, or another tab, is shown as it is now', async () => {
	const driver = await open();
	driver.press('e');
	await driver.settled();
	driver.press('down');
	expect(driver.screen()).not.toContain(' PAST ');
	driver.press('e');
	await driver.settled();
	expect(driver.screen()).toContain(' PAST ');
	driver.press('4');
	expect(driver.screen()).not.toContain(' PAST ');
});

it('a detail steps through its history too, and shows nothing later than its step', async () => {
	const driver = await open();
	driver.press('i');
	driver.press('e');
	await driver.settled();
	expect(driver.screen()).toContain(' PAST ');
	expect(driver.screen()).toContain('Tasks    2 of 5 done');
	driver.press('e', 'e', 'e', 'e');
	expect(driver.screen()).toContain('Tasks    1 of 1 done');
	driver.press('esc');
	expect(driver.screen()).toContain('Tasks    2 of 5 done');
	expect(driver.screen()).toContain('[Trace]');
});

it("all times are in the person's time zone", async () => {
	vi.stubEnv('TZ', 'Asia/Kolkata');
	const driver = await open({columns: 160, rows: 45});
	driver.press('e');
	await driver.settled();
	expect(driver.screen()).toMatch(/PAST .* · 19:31:11 · /);
	driver.press('esc', 'tab', 'home', 'enter');
	await driver.settled();
	driver.press(']');
	expect(driver.screen()).toContain('19:23:11');
	expect(driver.screen()).not.toContain('13:53');
	expect(driver.screen()).not.toContain('14:0');
	driver.press('4', 'enter');
	expect(driver.screen()).toContain('2026-03-01 19:31');
});
