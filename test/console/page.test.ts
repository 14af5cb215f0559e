import {mkdirSync} from 'node:fs';
import {join} from 'node:path';
import {gzipSync} from 'node:zlib';
import {type Browser, chromium, type Page} from 'playwright-core';
import {afterAll, beforeAll, expect, it, onTestFinished} from 'vitest';
import {consolePage} from '../../build/console-page.mjs';
import {linkTo} from '../../source/console/link-to.ts';
import {listen} from '../../source/console/listen.ts';
import {expectAccepted} from '../../source/domain/errors.ts';
import {builder, type ColonyOnDisk, createColony} from '../helpers/colony-on-disk.ts';
import {openRig} from './rig.ts';

let browser: Browser;
beforeAll(async () => {
	browser = await chromium.launch({executablePath: '/usr/bin/chromium', args: ['--no-sandbox']});
});
afterAll(() => browser.close());

const sizes = {phone: {width: 360, height: 740}, desk: {width: 1440, height: 900}};

/** The console of a colony in a browser that has opened its link; what goes wrong in the page fails its test. */
const openPage = async (
	colony: Pick<ColonyOnDisk, 'root' | 'env'>,
	{scope = 'act', size = 'desk', scheme = 'dark'}: Look = {},
) => {
	const {files} = await consolePage();
	const rig = await openRig(colony, {page: files});
	const server = expectAccepted(await listen(rig.app.fetch, {host: '127.0.0.1', port: 0}));
	const context = await browser.newContext({
		viewport: sizes[size],
		colorScheme: scheme,
		reducedMotion: 'reduce',
	});
	const url = `http://127.0.0.1:${server.port}`;
	context.setDefaultTimeout(120_000);
	const page = await context.newPage();
	const faults: string[] = [];
	page.on('pageerror', error => faults.push(String(error)));
	page.on('console', message => {
		if (message.type() === 'error' && !/status of 4\d\d/.test(message.text())) faults.push(message.text());
	});
	page.on('request', request => {
		if (!request.url().startsWith(url) && !request.url().startsWith('data:'))
			faults.push(`asked ${request.url()}`);
	});
	onTestFinished(async () => {
		await context.close();
		rig.over.abort();
		await server.close();
		expect(faults).toEqual([]);
	});
	await page.goto(await linkTo(rig.keyFile, url, {scope, label: 'phone'}));
	await page.getByRole('navigation').waitFor();
	return {...rig, page, url};
};

type Look = {
	readonly scope?: 'act' | 'read';
	readonly size?: keyof typeof sizes;
	readonly scheme?: 'dark' | 'light';
};

const fix = {
	description: 'Fix one thing now.',
	...{emit: 'task', bee: 'builder', review: 'none', autorun: true, title: '{{.Title}}', body: '{{.Text}}'},
};

const shots = process.env.HIVE_SCREENSHOTS;

/** Nothing is wider than the screen; with HIVE_SCREENSHOTS a picture goes to that folder. */
const look = async (page: Page, name: string): Promise<void> => {
	const isTooWide = await page.evaluate('document.documentElement.scrollWidth > innerWidth');
	expect([name, isTooWide]).toEqual([name, false]);
	if (shots === undefined) return;
	mkdirSync(shots, {recursive: true});
	await page.screenshot({path: join(shots, `${name}-${page.viewportSize()?.width}.png`)});
};

const open = async (page: Page, path: string): Promise<void> => {
	await page.evaluate(`location.hash = ${JSON.stringify(path)}`);
};

it('is one script and one style that fit into 40 KB, with nothing of the server', async () => {
	const {files, metafile} = await consolePage();
	const from = Object.keys(metafile.inputs).map(path =>
		path.replace(/^(source\/\w+(\/page)?|node_modules\/\w+)\/.*/, '$1'),
	);
	expect(new Set(from)).toEqual(new Set(['source/console/page', 'source/domain', 'node_modules/preact']));
	const whole = Object.values(files)
		.map(({text}) => text)
		.join('');
	expect(gzipSync(whole).length).toBeLessThanOrEqual(40 * 1024);
	expect(files['/'].text).not.toMatch(/https?:|style=|onclick/i);
});

it.each(['phone', 'desk'] as const)(
	'approves a merge, and sends one back with words on a line, on a %s',
	async size => {
		const colony = await createColony({bees: {builder}, files: {'.hive/cues/fix.yaml': JSON.stringify(fix)}});
		const {page, ask, model} = await openPage(colony, {size, scheme: size === 'phone' ? 'light' : 'dark'});
		expect(page.url()).not.toContain('code');

		// A cue begins work, and what it came to appears by itself.
		await page.getByText('Nothing needs you.').waitFor();
		await page.getByRole('button', {name: /Run a cue/}).click();
		await page.locator('dialog textarea[name=body]').fill('Add <b>a page</b>\u202e');
		await look(page, 'cue');
		await page.locator('dialog').getByRole('button', {name: 'Run', exact: true}).click();
		await page.getByRole('status').getByText('Trace: ').waitFor();
		await expect.poll(() => model.traces().size).toBe(1);
		const [{traceId, taskId}] = (await ask('/api/tasks')).groups.flatMap(
			({tasks}: {tasks: object[]}) => tasks,
		);
		await colony.hive(['run', '--until-idle']);
		await page.getByRole('link', {name: /Inbox 1/}).waitFor();
		await expect.poll(() => page.title()).toMatch(/^\(1\) /);
		await look(page, 'inbox');
		await open(page, '/traces');
		await page.getByRole('link', {name: /waiting review.*Add <b>a page<\/b>/s}).waitFor();
		await look(page, 'traces');
		await page.getByRole('link', {name: /Add <b>/}).click();
		await page.getByRole('group', {name: /Tasks of/}).waitFor();
		await look(page, 'trace');
		await page.getByRole('button', {name: '+5 honey'}).click();
		await page.getByRole('status').getByText('Added 5 honey').waitFor();
		await expect.poll(() => model.traces().get(traceId)?.energyRemaining).toBe(16);

		await open(page, `/traces/${traceId}/${taskId}`);
		await page.locator('details.part').first().waitFor();
		await look(page, 'task');
		await open(page, '/runs');
		await page.getByRole('link', {name: /builder/}).click();
		await page.getByText(`Built ${taskId}`).first().waitFor();
		await look(page, 'run');

		// Words on a line reach the bee that does it again.
		await open(page, '/reviews');
		await page.getByRole('link', {name: /merge/}).click();
		await page.getByText(`made by ${taskId}`).first().waitFor();
		await look(page, 'review');
		page.once('dialog', dialog => void dialog.accept('Say hello instead'));
		await page.getByRole('button', {name: 'Comment on line 1'}).first().click();
		await page.keyboard.press('x');
		await page.locator('dialog textarea[name=feedback]').fill('Not like this');
		await look(page, 'reject');
		await page.locator('dialog').getByRole('button', {name: 'Reject', exact: true}).click();
		await page.getByRole('status').getByText('The rework is task').waitFor();
		const feedback = (await colony.replay(traceId)).find(({payload}) => payload.kind === 'human.feedback');
		expect(feedback).toMatchObject({
			agentId: 'console',
			payload: {
				device: 'phone',
				message: 'Not like this',
				comments: [
					{
						path: `${taskId}.txt`,
						side: 'new',
						line: 1,
						quote: `made by ${taskId}`,
						text: 'Say hello instead',
					},
				],
			},
		});

		// Then it is merged as it was seen.
		await colony.hive(['run', '--until-idle']);
		await expect.poll(() => model.traces().get(traceId)?.tasks.get('_review')?.status).toBe('waiting_review');
		await open(page, `/reviews/${traceId}/_review`);
		await page.getByRole('button', {name: /^Approve/}).click();
		await page.locator('dialog').getByRole('button', {name: 'Approve', exact: true}).click();
		await page.getByRole('status').getByText('Merged into main').waitFor();
		await open(page, '/inbox');
		await page.getByText('Nothing needs you.').waitFor();
		for (const screen of ['events', 'topology', 'sessions', 'invites', 'bees']) {
			await open(page, `/${screen}`);
			await page.locator('main > *').first().waitFor();
			await look(page, screen);
		}
	},
);

it('is used by keys alone', async () => {
	const colony = await createColony({bees: {builder}});
	const {page, ask} = await openPage(colony);
	const {traceId} = await ask('/api/tasks', {json: {title: 'Add a page', body: 'x', bee: 'builder'}}, 201);
	await colony.hive(['run', '--until-idle']);
	await page.keyboard.press('3');
	await page.getByRole('link', {name: /merge/}).waitFor();
	await page.keyboard.press('j');
	await page.keyboard.press('Enter');
	await page.getByRole('button', {name: /^Approve/}).waitFor();
	await page.keyboard.press('a');
	await page.locator('dialog').waitFor();
	await page.keyboard.press('Escape');
	await page.locator('dialog').waitFor({state: 'detached'});
	await page.keyboard.press('Escape');
	await page.keyboard.press('2');
	await page.getByRole('link', {name: /Add a page/}).waitFor();
	await page.keyboard.press('j');
	await page.keyboard.press('Enter');
	await page.getByRole('group', {name: /Tasks of/}).waitFor();
	await page.keyboard.press('K');
	await page.locator('dialog').getByRole('button', {name: 'Kill'}).click();
	await page.getByRole('status').getByText(`Killed ${traceId}`).waitFor();
	await page.keyboard.press('?');
	await page.getByRole('heading', {name: 'Keys'}).waitFor();
});

it('offers nothing to who may only look', async () => {
	const colony = await createColony({bees: {builder}});
	const {page, ask} = await openPage(colony, {scope: 'read'});
	await ask('/api/tasks', {json: {title: 'Add a page', body: 'x', bee: 'builder'}}, 201);
	await page.getByText('may only look').waitFor();
	await open(page, '/traces');
	await page.getByRole('link', {name: /Add a page/}).click();
	await page.getByRole('group', {name: /Tasks of/}).waitFor();
	expect(await page.getByRole('button').allTextContents()).toEqual(['?']);
});

it.each(['granted', 'denied'])(
	'says how much waits: in badges, the title, the icon, and, where that is %s, a notification',
	async permission => {
		const talker = {adapter: 'alpha', prompt_template: 'talk.md', script: 'true'};
		const files = {'.hive/prompts/talk.md': '{{.Task}}'};
		const colony = await createColony({bees: {builder, talker}, files});
		const {page, ask, url} = await openPage(colony);
		await page.addInitScript(`
			globalThis.notified = [];
			globalThis.Notification = class {
				static permission = '${permission}';
				constructor(title, {body}) { notified.push(title + ': ' + body); }
			};
			Object.defineProperty(document, 'hidden', {get: () => true});
		`);
		await page.goto(`${url}/?again`);
		await page.getByText('Nothing needs you.').waitFor();
		const invite = () =>
			ask('/api/invites', {json: {traceId: 'trace-1', bee: 'talker', body: 'Shall we?'}}, 201);
		await ask('/api/tasks', {json: {traceId: 'trace-1', title: 'x', body: 'x', bee: 'builder'}}, 201);
		const icon = () =>
			page
				.locator('link[rel=icon]')
				.getAttribute('href')
				.then(decodeURIComponent as never);
		for (let count = 0; count < 9; count++) await invite();
		await page.getByRole('link', {name: 'Invites 9', exact: true}).waitFor();
		await expect.poll(() => page.title()).toBe('(9) scratch');
		await expect.poll(icon).toContain('>9</text>');
		await invite();
		await page.getByRole('link', {name: 'Invites 9+', exact: true}).waitFor();
		await page.getByRole('link', {name: 'Inbox 9+', exact: true}).waitFor();
		await expect.poll(() => page.title()).toBe('(9+) scratch');
		await expect.poll(icon).toContain('>9+</text>');
		const notified = await page.evaluate<string[]>('notified');
		if (permission === 'granted') expect(notified.at(-1)).toBe('scratch: 10 things wait for you.');
		else expect(notified).toEqual([]);
	},
);

it('asks for a link or a token, and lets nobody else in', async () => {
	const colony = await createColony({bees: {builder}});
	const {page, url, tokens} = await openPage(colony);
	await page.context().clearCookies();
	await page.goto(`${url}/#code=made-up`);
	await page.reload();
	await page.getByRole('alert').waitFor();
	await page.getByLabel('Token').fill(tokens.act);
	await page.getByRole('button', {name: 'Enter'}).click();
	await page.getByRole('navigation').waitFor();
	expect(await page.evaluate('document.cookie')).toBe('');
});

it.each([3, 300])('draws a trace of %i tasks that one can read', async count => {
	const colony = await createColony({bees: {builder}});
	const {page, ask} = await openPage(colony);
	const items = Array.from({length: count}, (_, index) => ({
		taskId: `t${index}`,
		title: `Task number ${index}`,
		dependsOn: index === 0 ? [] : [`t${Math.floor((index - 1) / 3)}`],
	}));
	const {traceId} = await ask('/api/tasks', {json: {items}}, 201);
	await open(page, `/traces/${traceId}`);
	await expect.poll(() => page.locator('.graph rect').count()).toBe(count);
	const places = `[...document.querySelectorAll('.graph rect')].map(({x, y}) => x.baseVal.value + ',' + y.baseVal.value)`;
	expect(new Set(await page.evaluate<string[]>(places)).size).toBe(count);
	await look(page, `graph-${count}`);
});

it.each(['dark', 'light'] as const)('has text that stands out from its ground, %s', async scheme => {
	const colony = await createColony({bees: {builder}});
	const {page} = await openPage(colony, {scheme});
	const ratios = await page.evaluate(contrasts);
	for (const [name, ratio] of Object.entries(ratios as Record<string, number>))
		expect([name, ratio >= 4.5]).toEqual([name, true]);
});

/** WCAG contrast of each colour of text with each ground it stands on, run in the page. */
const contrasts = `(() => {
	const style = getComputedStyle(document.documentElement);
	const light = name => {
		const [r, g, b] = style.getPropertyValue('--' + name).trim().match(/[0-9a-f]{2}/gi).map(hex => {
			const part = parseInt(hex, 16) / 255;
			return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
		});
		return 0.2126 * r + 0.7152 * g + 0.0722 * b;
	};
	const ratio = (one, other) => (Math.max(light(one), light(other)) + 0.05) / (Math.min(light(one), light(other)) + 0.05);
	const pairs = [['on-accent', 'accent'], ['text', 'added'], ['text', 'removed'], ['bg', 'text']];
	for (const ground of ['bg', 'card', 'added', 'removed']) for (const name of ['text', 'dim', 'keyword', 'string', 'number', 'type', 'title']) pairs.push([name, ground]);
	for (const ground of ['bg', 'card']) for (const name of ['text', 'dim', 'accent', 'good', 'bad', 'info']) pairs.push([name, ground]);
	return Object.fromEntries(pairs.map(([one, other]) => [one + ' on ' + other, ratio(one, other)]));
})()`;
