import {setTimeout as pause} from 'node:timers/promises';
import {chromium, type Page} from 'playwright-core';
import type {Bus} from '../../source/ports/bus.ts';
import {createBusyColony} from './busy-colony.ts';
import type {Row} from './row.ts';
import {serveConsole} from './serve-console.ts';

const fileCount = 200;
const linesPerFile = 60;
const eventsPerSecond = 20;
/** How many times slower than this machine the browser's processor is. */
const slowdown = 4;

/**
 * Row 65 of docs/performance.md: the longest task of the page while a person goes through a large review and
 * events stream.
 */
export const benchPageReview = async (): Promise<Row[]> => {
	const colony = await createBusyColony({worktree: true, script: makeFiles, files: codeFiles()});
	const reactor = await colony.startReactor();
	const served = await serveConsole(colony);
	const browser = await chromium.launch({executablePath: '/usr/bin/chromium', args: ['--no-sandbox']});
	const over = new AbortController();
	try {
		await colony.plan('wide', ['work']);
		await colony.completed(1);
		const page = await browser.newPage({viewport: {width: 1440, height: 900}});
		await page.addInitScript(observeTasks);
		await page.goto(served.link);
		await page.getByRole('navigation').waitFor();
		const throttle = await page.context().newCDPSession(page);
		await throttle.send('Emulation.setCPUThrottlingRate', {rate: slowdown});
		const spoken = sayAtRate(colony.bus, over.signal);
		const longest: [string, number][] = [];
		for (const [name, act] of Object.entries(acts)) {
			await act(page, served.link);
			await pause(settleMs);
			longest.push([name, await page.evaluate<number>('Math.max(0, ...tasks.splice(0))')]);
		}
		over.abort();
		const most = Math.max(...longest.map(([, time]) => time));
		return [
			{
				row: 65,
				name: `page at ${slowdown}x slowdown, review of ${fileCount} files, ${eventsPerSecond} events/s: longest task (ms)`,
				ratio: most,
				target: '<= 100 ms',
				met: most <= 100,
				detail: `${longest.map(([name, time]) => `${name} ${time.toFixed(0)}`).join(', ')}; ${await spoken} events`,
			},
		];
	} finally {
		over.abort();
		await browser.close();
		await served.end();
		await reactor.end('SIGTERM');
		await colony.dispose();
	}
};

/** Milliseconds after each act, in which late tasks count as its own. */
const settleMs = 1500;

/**
 * What a person does, in this order. Elements are found by selectors alone, since other ways to find them take
 * the page's own time.
 */
const acts: Readonly<Record<string, (page: Page, link: string) => Promise<unknown>>> = {
	open: async (page, link) => {
		await page.goto(`${new URL(link).origin}/#/reviews/wide/_review`);
		await page.locator('#file-0 .code').first().waitFor();
	},
	wait: () => pause(2000),
	scroll: async page => {
		await page.mouse.move(900, 500);
		for (let step = 0; step < 60; step++) {
			await page.mouse.wheel(0, 900);
			await pause(50);
		}
	},
	jump: page => page.locator('.tree li:nth-child(150) button').click(),
	hunks: async page => {
		for (let step = 0; step < 10; step++) await page.keyboard.press(step < 5 ? ']' : '[', {delay: 50});
	},
	filter: async page => {
		await page.locator('.tree input').focus();
		await page.keyboard.type('code-17', {delay: 50});
	},
	side: page => page.locator('.files-shown > .actions button:first-child').click(),
	comment: async page => {
		await page.locator('#file-0').scrollIntoViewIfNeeded();
		await page.locator('#file-0 .added .code').first().click();
		await page.locator('form.comment textarea').waitFor();
		await page.keyboard.type('Say what it is for', {delay: 50});
		await page.locator('form.comment .act').click();
	},
	approve: async page => {
		await page.locator('.decide .act').first().click();
		await page.locator('dialog').waitFor();
	},
};

/** Runs in the page before its own script: it keeps the duration of each task of 50 ms and more. */
const observeTasks = `
	globalThis.tasks = [];
	new PerformanceObserver(list => tasks.push(...list.getEntries().map(({duration}) => duration)))
		.observe({type: 'longtask', buffered: true});
`;

/** Appends notes until the signal, and returns how many. Each tenth is of the reviewed trace. */
const sayAtRate = async (bus: Bus, signal: AbortSignal): Promise<number> => {
	let count = 0;
	while (!signal.aborted) {
		const event = {
			traceId: count % 10 === 0 ? 'wide' : `trace-${count % 7}`,
			agentId: 'cli',
			type: 'INSIGHT',
			payload: {kind: 'context.note', summary: `Note ${count}`},
		} as const;
		await bus.append(event, {id: `note ${count}`});
		count++;
		await pause(1000 / eventsPerSecond);
	}
	return count;
};

/** The code that the agent changes, in 20 folders. */
const codeFiles = (): Readonly<Record<string, string>> =>
	Object.fromEntries(
		Array.from({length: fileCount}, (_, index) => [
			`part-${index % 20}/code-${index}.ts`,
			Array.from({length: linesPerFile}, (_, line) => `export const value${line} = 'of ${index}';\n`).join(
				'',
			),
		]),
	);

/** The agent's script: it changes every other line of each file of code. */
const makeFiles = `for file in part-*/*.ts; do
	awk 'NR % 2 { print "export const changed" NR " = (value: number): string => \`\${value} " NR "\`;"; next } { print }' "$file" > next
	mv next "$file"
done
`;
