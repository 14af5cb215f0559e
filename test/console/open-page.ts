import {mkdirSync} from 'node:fs';
import {join} from 'node:path';
import {type Browser, chromium, type Page} from 'playwright-core';
import {afterAll, beforeAll, expect, onTestFinished} from 'vitest';
import {consolePage} from '../../build/console-page.mjs';
import {addresses} from '../../source/console/addresses.ts';
import {createLoginLink} from '../../source/console/link-to.ts';
import {listen} from '../../source/console/listen.ts';
import {expectAccepted} from '../../source/domain/errors.ts';
import {type ActionId, actionIds} from '../../source/host/actions/table.ts';
import type {ColonyOnDisk} from '../helpers/colony-on-disk.ts';
import {timeoutMs} from '../helpers/with-timeout.ts';
import {openRig} from './rig.ts';

let browser: Browser;
beforeAll(async () => {
	browser = await chromium.launch({executablePath: '/usr/bin/chromium', args: ['--no-sandbox']});
});
afterAll(() => browser.close());

const sizes = {phone: {width: 360, height: 740}, desk: {width: 1440, height: 900}};

export type Size = keyof typeof sizes;

/** What a browser logs for a refusal and for a stream that the console ends. */
const expected = /status of 4\d\d|ERR_INCOMPLETE_CHUNKED_ENCODING/;

type Look = {
	readonly scope?: 'act' | 'read';
	readonly size?: Size;
};

/**
 * Opens the console of a colony in a browser that has opened its link. An error in the page fails the test.
 */
export const openPage = async (
	colony: Pick<ColonyOnDisk, 'root' | 'env'>,
	{scope = 'act', size = 'desk'}: Look = {},
) => {
	const {files} = await consolePage();
	const rig = await openRig(colony, {page: files});
	const server = expectAccepted(await listen(rig.app.fetch, {host: '127.0.0.1', port: 0}));
	const context = await browser.newContext({viewport: sizes[size], reducedMotion: 'reduce'});
	const url = `http://127.0.0.1:${server.port}`;
	context.setDefaultTimeout(timeoutMs);
	const page = await context.newPage();
	const faults: string[] = [];
	page.on('pageerror', error => faults.push(String(error)));
	page.on('console', message => {
		if (message.type() === 'error' && !expected.test(message.text())) faults.push(message.text());
	});
	page.on('request', request => {
		if (!request.url().startsWith(url) && !request.url().startsWith('data:'))
			faults.push(`asked ${request.url()}`);
	});
	const done = new Set<ActionId>();
	page.on('response', answer => {
		const id = answer.request().method() === 'POST' && answer.ok() ? actionAt(answer.url()) : undefined;
		if (id) done.add(id);
	});
	onTestFinished(async () => {
		await context.close();
		rig.over.abort();
		await server.close();
		expect(faults).toEqual([]);
	});
	await page.goto(await createLoginLink(rig.keyFile, url, {scope, label: 'phone'}));
	await page.getByRole('navigation').waitFor();
	return {...rig, page, url, done};
};

/** Returns the action that an address requests. */
const actionAt = (url: string): ActionId | undefined => {
	const {pathname} = new URL(url);
	const fits = (path: string) => new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`).test(pathname);
	return actionIds.find(id => addresses[id].paths.some(fits));
};

const shots = process.env.HIVE_SCREENSHOTS;

/**
 * Checks that nothing is wider than the screen and that all text has contrast, dark and light. With
 * HIVE_SCREENSHOTS it stores pictures in that folder.
 */
export const look = async (page: Page, name: string): Promise<void> => {
	const isTooWide = await page.evaluate('document.documentElement.scrollWidth > innerWidth');
	expect([name, isTooWide]).toEqual([name, false]);
	for (const colorScheme of ['light', 'dark'] as const) {
		await page.emulateMedia({colorScheme});
		expect([name, colorScheme, await page.evaluate(faintTexts)]).toEqual([name, colorScheme, []]);
		if (shots === undefined) continue;
		mkdirSync(shots, {recursive: true});
		const file = `${name}-${page.viewportSize()?.width}-${colorScheme}.png`;
		await page.screenshot({path: join(shots, file)});
	}
};

export const open = async (page: Page, path: string): Promise<void> => {
	await page.evaluate(`location.hash = ${JSON.stringify(path)}`);
};

/**
 * Runs in the page: returns each shown text whose contrast is below WCAG AA, with the ratio.
 */
const faintTexts = `(() => {
	const read = colour => {
		const [r, g, b, alpha = 1] = colour.match(/[\\d.]+/g).map(Number);
		return {r, g, b, alpha};
	};
	const light = ({r, g, b}) => {
		const [red, green, blue] = [r, g, b].map(one => {
			const part = one / 255;
			return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
		});
		return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
	};
	const groundOf = element => {
		const shape = element.closest('svg a')?.querySelector('rect');
		if (shape) return read(getComputedStyle(shape).fill);
		for (let at = element; at !== null; at = at.parentElement) {
			const ground = read(getComputedStyle(at).backgroundColor);
			if (ground.alpha === 1) return ground;
		}
		throw new Error('Nothing is below ' + element.outerHTML);
	};
	const faint = [];
	const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
	for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
		const element = text.parentElement;
		const isOff = element.closest(':disabled, noscript, script, title, option') !== null;
		if (isOff || text.data.trim() === '' || !element.checkVisibility()) continue;
		const style = getComputedStyle(element);
		const [one, other] = [read(element.closest('svg') ? style.fill : style.color), groundOf(element)].map(light);
		const ratio = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
		if (ratio < 4.5) faint.push(text.data.trim().slice(0, 40) + ' ' + ratio.toFixed(2));
	}
	return faint;
})()`;
