import {afterEach, describe, expect, it} from 'vitest';
import {layoutOf} from '../../source/dashboard/store/layout.ts';
import {buildTask, buildTrace, mapOf} from './build-trace.ts';
import {type Driver, drive} from './screen-of.ts';

let driver: Driver;
afterEach(() => driver.stop());

const failing = (id: string, body: string) =>
	buildTrace(id, {
		title: 'Retry uploads',
		tasks: [buildTask('a', {title: 'Retry uploads', body, status: 'failed', summary: 'No luck'})],
	});
const gated = buildTrace('g', {
	title: 'Limit requests',
	tasks: [
		buildTask('b', {status: 'completed'}),
		buildTask('_review', {status: 'waiting_review', review: 'final', bee: ''}),
	],
});

const review = async (columns: number, rows: number): Promise<string> => {
	const traces = mapOf(failing('t', 'Three times.'), failing('u', 'Downloads too.'), gated);
	driver = await drive({columns, rows}, {follow: (_, call) => call({traces, events: []})});
	driver.press('3');
	await driver.settled();
	return driver.screen();
};

describe('the review queue', () => {
	it.each([
		[80, 24],
		[120, 36],
		[200, 50],
	])('tells entries of the same title apart by their words at %ix%i', async (columns, rows) => {
		const screen = await review(columns, rows);
		expect(screen).toContain('Three times.');
		expect(screen).toContain('Downloads too.');
	});

	it('is above the sheet at 200 columns, and the diff is beside both', async () => {
		await review(200, 50);
		const {bands} = layoutOf(driver.store.getState());
		expect(bands.map(band => band.map(({pane, isBelow = false}) => [pane, isBelow]))).toEqual([
			[
				['queue', false],
				['sheet', true],
				['diff', false],
			],
		]);
		expect(driver.screen()).toMatch(/You asked .*││/);
	});
});
