import {gzipSync} from 'node:zlib';
import {expect, it} from 'vitest';
import {consolePage} from '../../build/console-page.mjs';
import {builder, createColony} from '../helpers/colony-on-disk.ts';
import {look, open, openPage} from './open-page.ts';

it('the page is one script and one style within 45 KB, with no code of the server', async () => {
	const {files, metafile} = await consolePage();
	const others = Object.keys(metafile.inputs).filter(
		path => !/^(source\/console\/page|source\/domain|node_modules\/preact)\//.test(path),
	);
	expect(others.toSorted()).toEqual([
		...[
			'answer',
			'clashes',
			'failing-lines',
			'format-age',
			'format-duration',
			'format-judgement',
			'format-reserve',
			'local-time',
			'name',
			'plan-lines',
			'progress-facts',
			'session',
			'sheet-check-lines',
			'sheet-line',
			'sheet-lines',
		].map(name => `source/host/views/${name}.ts`),
		'source/review/blocks.ts',
	]);
	const whole = Object.values(files)
		.map(({text}) => text)
		.join('');
	expect(gzipSync(whole).length).toBeLessThanOrEqual(45 * 1024);
	expect(files['/'].text).not.toMatch(/https?:|style=|onclick/i);
});

it('the page can be used with the keyboard alone', async () => {
	const colony = await createColony({bees: {builder}});
	const {page, ask} = await openPage(colony);
	await ask('/api/tasks', {json: {title: 'Add a page', body: 'x', bee: 'builder'}}, 201);
	await colony.hive(['run', '--until-idle']);
	await page.keyboard.press('3');
	await page.getByRole('link', {name: /merge/}).waitFor();
	await page.keyboard.press('j');
	await page.locator('[data-row]:focus').waitFor();
	await page.keyboard.press('Enter');
	await page.getByRole('button', {name: /^Approve/, disabled: false}).waitFor();
	await page.keyboard.press('a');
	await page.locator('dialog').waitFor();
	await page.keyboard.press('Escape');
	await page.locator('dialog').waitFor({state: 'detached'});
	await page.keyboard.press('Escape');
	await page.keyboard.press('2');
	await page.getByRole('link', {name: /waiting for review.*Add a page/s}).waitFor();
	await page.keyboard.press('j');
	await page.keyboard.press('Enter');
	await page.getByRole('group', {name: /Tasks of/}).waitFor();
	await page.keyboard.press('K');
	await page.locator('dialog').getByRole('button', {name: 'Kill'}).click();
	await page
		.getByRole('status')
		.getByText(/^Killed /)
		.waitFor();
	await page.keyboard.press('?');
	await page.getByRole('heading', {name: 'Keys'}).waitFor();
});

it('the page offers no action to a read-only person', async () => {
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
	'the page shows how much waits in badges, title, icon and, if permission is %s, a notification',
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
		await expect.poll(() => page.title()).toBe('(9) Needs you · scratch');
		await expect.poll(icon).toContain('>9</text>');
		await invite();
		await page.getByRole('link', {name: 'Invites 10', exact: true}).waitFor();
		await page.getByRole('link', {name: 'Needs you 10', exact: true}).waitFor();
		await expect.poll(() => page.title()).toBe('(10) Needs you · scratch');
		await expect.poll(icon).toContain('>9+</text>');
		const notified = await page.evaluate<string[]>('notified');
		if (permission === 'granted') expect(notified.at(-1)).toBe('scratch: 10 things wait for you.');
		else expect(notified).toEqual([]);
	},
);

it('the page asks for a link or a token, and admits no other browser', async () => {
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

it.each([
	[3, 'desk'],
	[300, 'desk'],
	[300, 'phone'],
] as const)('the page draws a trace of %i tasks that is readable on a %s', async (count, size) => {
	const colony = await createColony({bees: {builder}});
	const {page, ask} = await openPage(colony, {size});
	const items = Array.from({length: count}, (_, index) => ({
		taskId: `t${index}`,
		title: `Task number ${index}`,
		dependsOn: index === 0 ? [] : [`t${Math.floor((index - 1) / 3)}`],
	}));
	const {traceId} = await ask('/api/tasks', {json: {items}}, 201);
	await open(page, `/traces/${traceId}`);
	await expect.poll(() => page.locator('.graph a rect').count()).toBe(count);
	const places = `[...document.querySelectorAll('.graph a > g')].map(({transform}) => transform.baseVal.consolidate().matrix).map(({e, f}) => e + ',' + f)`;
	expect(new Set(await page.evaluate<string[]>(places)).size).toBe(count);
	await look(page, `graph-${count}`);
});

it('text has contrast on every background in dark and light, and the page respects reduced motion', async () => {
	const colony = await createColony({bees: {builder: {...builder, script: 'wait_for go'}}});
	const {page, ask} = await openPage(colony);
	for (const colorScheme of ['dark', 'light'] as const) {
		await page.emulateMedia({colorScheme});
		const ratios = await page.evaluate<Record<string, number>>(contrasts);
		for (const [name, ratio] of Object.entries(ratios))
			expect([colorScheme, name, ratio >= 4.5]).toEqual([colorScheme, name, true]);
	}
	await ask('/api/tasks', {json: {title: 'Add a page', body: 'x', bee: 'builder'}}, 201);
	colony.follow();
	await open(page, '/traces');
	await page.getByRole('link', {name: /running.*Add a page/s}).waitFor();
	const moving = () => page.evaluate<number>('document.getAnimations().length');
	await page.emulateMedia({reducedMotion: 'no-preference'});
	await expect.poll(moving).toBeGreaterThan(0);
	await page.emulateMedia({reducedMotion: 'reduce'});
	await expect.poll(moving).toBe(0);
});

/** Runs in the page: returns the WCAG contrast of each text colour on each of its backgrounds. */
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

it("the page answers an agent's question with an option, and accepts a run that changed nothing", async () => {
	const question = {kind: 'human.question', text: 'A or B?', options: ['A', 'B']};
	const script = `[ "$HIVE_TASK_ID" = quiet ] || emit '${JSON.stringify({type: 'SIGNAL', payload: question})}'; echo Well`;
	const colony = await createColony({bees: {builder: {...builder, on_no_change: 'ask', script}}});
	const tasks = [
		{taskId: 'ask', title: 'Ask it'},
		{taskId: 'quiet', title: 'Be quiet'},
	];
	const {traceId} = await colony.ask<{traceId: string}>(['task', 'create', '--plan', '-', '--autorun'], {
		input: JSON.stringify({tasks}),
	});
	await colony.hive(['run', '--until-idle']);
	const {page} = await openPage(colony);
	await page.getByText('It asks: A or B? (A / B)').waitFor();
	await look(page, 'question');
	await page.getByRole('button', {name: 'B', exact: true}).click();
	expect(await page.locator('dialog textarea[name=feedback]').inputValue()).toBe('B');
	await page.locator('dialog').getByRole('button', {name: 'Answer', exact: true}).click();
	await page
		.getByRole('status')
		.getByText(/^Task "?(Ask it|ask)"? is ready again/)
		.waitFor();
	await page.getByText('It asks: A or B?').waitFor({state: 'detached'});
	await page.getByRole('button', {name: /^Accept as done/}).click();
	await page
		.locator('dialog')
		.getByRole('button', {name: /^Accept as done/})
		.click();
	await page.getByRole('status').getByText('Approved Be quiet.').waitFor();
	const answers = (await colony.replay(traceId)).filter(({payload}) => payload.kind === 'human.answer');
	expect(answers).toMatchObject([{payload: {option: 'B'}}]);
});

it("the page shows an agent's words as markdown, and nothing in them as HTML or as a link", async () => {
	const script = `echo change > made.txt; echo '**Done** <img src=x> [here](https://evil.example/) \`a*b*\`'`;
	const colony = await createColony({bees: {builder: {...builder, script}}});
	const {page, ask} = await openPage(colony, {size: 'phone'});
	await ask('/api/tasks', {json: {title: 'Say it', body: 'x', bee: 'builder'}}, 201);
	await colony.hive(['run', '--until-idle']);
	await open(page, '/runs');
	await page.getByRole('link', {name: /builder/}).click();
	const words = page.locator('.words');
	await words.getByText('Done', {exact: true}).waitFor();
	expect(await words.textContent()).toContain('Done <img src=x> here (https://evil.example/) a*b*');
	expect(await words.locator('b').allTextContents()).toEqual(['Done']);
	expect(await words.locator('img, a').count()).toBe(0);

	// Words typed in a dialog stay when it is closed for later, and Escape asks what to do with them.
	await open(page, '/traces');
	await page.getByRole('link', {name: /^Review Say it/}).click();
	await page.getByRole('button', {name: 'Reject', exact: true}).click();
	const box = page.getByLabel(/What should be different/);
	await box.fill('words of mine');
	await page.keyboard.press('Escape');
	await page.getByRole('button', {name: 'Keep it for later'}).click();
	await page.locator('dialog').waitFor({state: 'detached'});
	await page.reload();
	await page.getByRole('button', {name: 'Reject', exact: true}).click();
	expect(await box.inputValue()).toBe('words of mine');
	await page.keyboard.press('Escape');
	await page.getByRole('button', {name: 'Discard it'}).click();
	await page.getByRole('button', {name: 'Reject', exact: true}).click();
	expect(await box.inputValue()).toBe('');
});
