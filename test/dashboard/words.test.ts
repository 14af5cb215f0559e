import {afterEach, describe, expect, it} from 'vitest';
import {withTitles} from '../../source/dashboard/store/names.ts';
import type {DashboardServices} from '../../source/dashboard/world.ts';
import {errorTable} from '../../source/domain/error-table.ts';
import {accepted} from '../../source/domain/errors.ts';
import {actionIds, actionTable} from '../../source/host/actions/table.ts';
import {inboxOf} from '../../source/host/views/inbox.ts';
import {sheetOf} from '../../source/host/views/sheet.ts';
import {sheetBlocks} from '../../source/host/views/sheet-lines.ts';
import {identifiersIn} from '../helpers/identifiers.ts';
import {noon} from './build-trace.ts';
import {fixtureDetail, fixturePreview} from './fixture-world.ts';
import {type Driver, drive} from './screen-of.ts';
import {agentId, gated, reviewed, taskId, tracesInWords as traces} from './traces-in-words.ts';

const world: Partial<DashboardServices> = {
	follow: (_signal, call) => call({traces, events: []}),
	inbox: async () => ({entries: [], traces}),
	status: (_signal, call) =>
		call({reactor: 'here', bus: {state: 'live'}, places: [], slots: {taken: 2, total: 4}}),
	preview: async ({traceId}) =>
		accepted({
			...fixturePreview,
			branch: `hive/${traceId}`,
			files: [{path: 'src/limit.ts', added: 3, removed: 1}],
			patch: '',
		}),
	waits: async () => [],
	detail: async target => ({...fixtureDetail(target), causes: []}),
};

let driver: Driver;
afterEach(() => driver.stop());

/** Rows of ids are for copying: the last column of lists, shortened or whole. */
const idColumn = /(…[0-9a-f]{8}|\b[0-9a-f]{16}\b|_review|inv-[0-9a-f]+)\s*(?=[│┃|]|$)/gm;

const sentencesOf = (screen: string): string => screen.replaceAll(idColumn, ' ');

/** Keys from the start of the dashboard to a screen or a dialog. Events are the log, so their kinds stay. */
const screens: readonly (readonly [name: string, ...keys: string[]])[] = [
	['the traces', '1'],
	...[0, 1, 2, 3].map(down => [`trace ${down}`, ...Array.from({length: down}, () => 'j')] as const),
	['the tasks', 'tab'],
	['a detail of a task', 'tab', 'i'],
	['a detail of a trace', 'i'],
	['the runs', '2'],
	...[0, 1, 2, 3].map(
		down => [`the runs of trace ${down}`, ...Array.from({length: down}, () => 'j'), 'tab', 'tab'] as const,
	),
	['a live diff', 'D'],
	...[0, 1, 2, 3, 4].map(down => [`entry ${down}`, '3', ...Array.from({length: down}, () => 'j')] as const),
	['sessions', '5'],
	['the colony', '6'],
	...['?', ':'].map(key => [`${key} on a trace`, key] as const),
];

const dialogs: typeof screens = [
	...['a', 'x', 't', '+', 'K', 'c', 'C', 'F', 'q', 'u'].map(key => [`${key} on a trace`, key] as const),
	...['a', 'x', 't', 'u', 'K', '+'].flatMap(key =>
		[0, 1, 2, 3, 4].map(
			down => [`${key} on entry ${down}`, '3', ...Array.from({length: down}, () => 'j'), key] as const,
		),
	),
	...['a', 't', 'x'].flatMap(key =>
		[0, 1, 2].map(
			down =>
				[`${key} on task ${down}`, 'j', 'j', 'tab', ...Array.from({length: down}, () => 'j'), key] as const,
		),
	),
];

describe('what a person reads in the dashboard contains no identifier', () => {
	it.each([
		[80, 24, screens],
		[120, 36, [...screens, ...dialogs]],
		[200, 50, screens],
	])('on any screen, and in any dialog, at %ix%i', async (columns, rows, stops) => {
		const found: Record<string, readonly string[]> = {};
		for (const [name, ...keys] of stops) {
			driver = await drive({columns, rows}, world);
			await driver.settled();
			for (const key of keys) {
				driver.press(key);
				await driver.settled();
			}
			const words = sentencesOf(driver.screen())
				.split('\n')
				.filter(row => identifiersIn(row).length > 0);
			if (words.length > 0) found[name] = words;
			driver.stop();
		}
		expect(found).toEqual({});
	});

	it('in sentences of the host after their ids are replaced', async () => {
		driver = await drive(undefined, world);
		const subject = {traceId: reviewed, taskId: taskId(1)};
		expect(withTitles(`The task ${taskId(1)} of ${reviewed} has no review.`, traces, subject)).toBe(
			'The task Write the limiter of Limit requests has no review.',
		);
		expect(withTitles('Approved _review.', traces, {traceId: gated})).toBe('Approved Final review.');
		expect(withTitles(`The run ${agentId(4)} cannot be repeated.`, traces, {})).toBe(
			'The run builder cannot be repeated.',
		);
	});
});

describe('what every client shows contains no identifier', () => {
	it.each(Object.entries(errorTable))('in the error %s', (_, {message, hint}) => {
		expect(identifiersIn(`${message}\n${hint}`)).toEqual([]);
	});

	it.each([...traces.values()].map(trace => [trace.title, trace] as const))(
		'in the sheet of "%s", or in what waits in it',
		(_, trace) => {
			const sheets = [undefined, ...trace.tasks.values()].map(task => sheetOf(trace, task));
			const lines = sheets.flatMap(sheet => sheetBlocks(sheet, noon).flatMap(block => block.lines));
			const sheetTexts = lines.flatMap(({about = '', text, below = []}) => [about, text, ...below]);
			const waiting = inboxOf([trace]).flatMap(({title, sentence}) => [title, sentence]);
			expect(identifiersIn([...sheetTexts, ...waiting].join('\n'))).toEqual([]);
		},
	);

	it.each(actionIds)('in the row of the action %s', id => {
		const {label, progressLabel, summary, description = ''} = actionTable[id];
		const refusals = [...traces.values()].flatMap(trace =>
			[undefined, ...trace.tasks.values()].map(
				one => actionTable[id].blocked?.({trace, ...(one && {task: one})}) ?? '',
			),
		);
		expect(identifiersIn([label, progressLabel, summary, description, ...refusals].join('\n'))).toEqual([]);
	});
});
