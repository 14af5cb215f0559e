import {afterEach, describe, expect, it} from 'vitest';
import type {DashboardServices} from '../../source/dashboard/world.ts';
import {acceptHint} from '../../source/domain/awaiting-configuration.ts';
import type {ConfigurationChanges} from '../../source/host/configuration-changes.ts';
import {textPatch} from '../../source/review/text-patch.ts';
import {type Driver, drive} from './screen-of.ts';

const path = '.hive/bees/builder.yaml';
const by = '"Sort the list" was running';
const message = `changed while ${by}: not yet in force`;

const changesOf = (
	...changes: readonly (readonly [before: string, after: string])[]
): ConfigurationChanges => ({
	seen: `seen ${changes.length}`,
	changes: changes.map(() => ({path, by})),
	patch: changes.map(([before, after]) => textPatch({path, before, after})).join(''),
});

const short = changesOf(['role: builder\n', 'role: builder\ncommand: [sh, evil.sh]\n']);
const long = changesOf(['', Array.from({length: 30}, (_, at) => `line ${at}\n`).join('')]);

let driver: Driver;
afterEach(() => driver.stop());

const open = async (changes: ConfigurationChanges, change: Partial<DashboardServices> = {}) => {
	const paged: string[] = [];
	driver = await drive(undefined, {
		configurationChanges: async () => changes,
		openPager: async text => void paged.push(text),
		facts: () => ({
			...{bees: [], problems: [`${path}: ${message}`, 'another problem'], toolAdvice: []},
			awaiting: [`${path}: ${message}`],
		}),
		reloaded: (_, call) => call(),
		...change,
	});
	driver.tell.survey({held: new Map(), problems: [{path, message, hint: acceptHint}]});
	await driver.settled();
	return paged;
};

describe('a change below .hive/ that awaits a person', () => {
	it('is reported at once, with the key that shows and accepts it', async () => {
		await open(short);
		expect(driver.screen()).toContain('F shows and accepts it.');
		driver.press('3');
		expect(driver.screen()).toMatch(/F files/);
	});

	it('is shown as a whole, and accepted as it was shown', async () => {
		const paged = await open(short);
		driver.press('F');
		await driver.settled();
		expect(driver.screen()).toContain('+ command: [sh, evil.sh]');
		expect(driver.screen()).toContain(`changed while ${by}`);
		driver.wait(300);
		driver.press('y');
		await driver.settled();
		expect(driver.asked).toEqual([{action: 'configuration.accept', input: {seen: 'seen 1'}}]);
		expect(paged).toEqual([]);
	});

	it('is shown in the pager before the question if a dialog would cut it', async () => {
		const paged = await open(long);
		driver.press('F');
		await driver.settled();
		expect(paged).toEqual([expect.stringContaining('+line 29\n')]);
		driver.wait(300);
		driver.press('y');
		await driver.settled();
		expect(driver.asked).toHaveLength(1);
	});

	it('is not accepted by Cancel, and cannot be accepted once it is gone', async () => {
		await open(short);
		driver.press('F');
		await driver.settled();
		driver.wait(300);
		driver.press('esc');
		expect(driver.asked).toEqual([]);
		driver.tell.survey({held: new Map(), problems: []});
		await driver.settled();
		driver.press('F');
		await driver.settled();
		expect(driver.screen()).toContain('No change below .hive/ waits for you.');
	});
});
