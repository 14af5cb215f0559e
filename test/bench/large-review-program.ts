// A dashboard of 160x45 with a review of 1,000 files and 300,000 changed lines, in its own process. The
// highlight thread is the built one. The output is JSON with milliseconds and MB.
import {readFileSync} from 'node:fs';
import {resolve} from 'node:path';
import {monitorEventLoopDelay, performance} from 'node:perf_hooks';
import {pathToFileURL} from 'node:url';
import {fileStep, hunkStep} from '../../source/dashboard/handle/jump.ts';
import {highlightVisibleFiles} from '../../source/dashboard/highlight-visible-files.ts';
import {updateReceived} from '../../source/dashboard/store/feed-changes.ts';
import {initialState} from '../../source/dashboard/store/initial-state.ts';
import {move} from '../../source/dashboard/store/move.ts';
import {focusPane, openTab} from '../../source/dashboard/store/pane-changes.ts';
import {queueKey, selectedReview} from '../../source/dashboard/store/queue.ts';
import {previewReceived} from '../../source/dashboard/store/review-changes.ts';
import {toggleWrap} from '../../source/dashboard/store/scroll-changes.ts';
import {createStore} from '../../source/dashboard/store/store.ts';
import {setSize} from '../../source/dashboard/store/terminal-changes.ts';
import {createHighlighter} from '../../source/highlight/highlighter.ts';
import {fixturePreview, fixtureTraces} from '../dashboard/fixture-world.ts';
import {mountHeadless} from './headless-app.ts';

const files = 1000;
/** The number of removed lines in each file, and of added lines. */
const changed = 150;
const size = {columns: 160, rows: 45};

const fileOf = (file: number): string => {
	const path = `source/part-${file % 40}/module-${file}.ts`;
	const linesOf = (sign: string, word: string): string[] =>
		Array.from(
			{length: changed},
			(_, at) => `${sign}export const ${word}${at} = call(${at}, 'text ${file}');`,
		);
	return [
		...[`diff --git a/${path} b/${path}`, 'index 1a2b3c4..5d6e7f8 100644', `--- a/${path}`, `+++ b/${path}`],
		...[`@@ -1,${changed + 1} +1,${changed + 1} @@`, ' // What follows was made anew.'],
		...[...linesOf('-', 'before'), ...linesOf('+', 'after')],
		'',
	].join('\n');
};

const patch = Buffer.from(Array.from({length: files}, (_, file) => fileOf(file)).join('')).toString();

const store = createStore(initialState(size, Date.now()));
store.dispatch(updateReceived({traces: fixtureTraces, events: []}));
store.dispatch(openTab('review'));
store.dispatch(focusPane('diff'));
const app = mountHeadless(store, size);
highlightVisibleFiles(
	createHighlighter(pathToFileURL(resolve('dist/highlight-code.cjs')), new AbortController().signal),
	store,
	new AbortController().signal,
);
const wait = (milliseconds: number): Promise<void> => new Promise(done => setTimeout(done, milliseconds));
const framed = (): Promise<void> => new Promise(done => app.onFrame(done));
await wait(1000);

/**
 * Returns the CPU time of this thread alone. On a shared machine, wall time mostly shows the load of other
 * processes.
 */
const used = (): number => Number(readFileSync('/proc/self/schedstat', 'utf8').split(' ')[0]) / 1e6;

const row = selectedReview(store.getState());
const key = row ? `${queueKey(row)}@1` : '';
store.dispatch(previewReceived({key, state: 'loading'}));
await wait(500);
const begun = performance.now();
const usedBefore = used();
const first = framed();
store.dispatch(previewReceived({key, state: 'ready', preview: {...fixturePreview, files: [], patch}}));
await first;
const firstFrame = performance.now() - begun;
const firstUsed = used() - usedBefore;

const delays = monitorEventLoopDelay({resolution: 1});
delays.enable();
let longestTurn = 0;
let before = used();
setInterval(() => {
	const now = used();
	longestTurn = Math.max(longestTurn, now - before);
	before = now;
}, 1);
let longestKey = 0;
const press = async (change: () => void): Promise<void> => {
	const at = performance.now();
	change();
	longestKey = Math.max(longestKey, performance.now() - at);
	app.taken();
	await wait(15);
};
const context = {store} as Parameters<ReturnType<typeof fileStep>>[0];
await wait(500);
for (let page = 0; page < 40; page += 1) await press(() => store.dispatch(move(40)));
for (let file = 0; file < 40; file += 1) await press(() => fileStep(1)(context));
for (let hunk = 0; hunk < 20; hunk += 1) await press(() => hunkStep(-1)(context));
await press(() => store.dispatch(move(Number.POSITIVE_INFINITY)));
await press(() => store.dispatch(toggleWrap));
await press(() => store.dispatch(move(-40)));
await press(() => store.dispatch(toggleWrap));
await press(() => store.dispatch(setSize({columns: 120, rows: 45})));
await press(() => store.dispatch(move(Number.NEGATIVE_INFINITY)));
await wait(500);
const result = {
	...{firstFrame, firstUsed, longestKey},
	longestTurn,
	longestStall: delays.max / 1e6,
	memory: process.memoryUsage().rss / 2 ** 20,
};
process.stdout.write(JSON.stringify(result), () => process.exit(0));
