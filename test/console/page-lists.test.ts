import {expect, it} from 'vitest';
import {createColony} from '../helpers/colony-on-disk.ts';
import {look, open, openPage} from './open-page.ts';

const quick = {script: 'echo "Did it"'};

it('lists of the page are filtered, and going back returns to the row that was open', async () => {
	const colony = await createColony({bees: {quick, failer: {script: 'exit 3'}}});
	const {page, ask} = await openPage(colony);
	for (let number = 1; number <= 9; number++) {
		const bee = number === 7 ? 'failer' : 'quick';
		const work = {traceId: `trace-${number}`, title: `Piece ${number}`, body: 'x', bee};
		await ask('/api/tasks', {json: work}, 201);
	}
	await colony.hive(['run', '--until-idle']);
	const rows = page.locator('main [data-row]');
	await open(page, '/traces');
	await expect.poll(() => rows.count()).toBe(9);
	await page.getByLabel('Filter the traces').fill('PIECE 7');
	await expect.poll(() => rows.count()).toBe(1);
	await rows.getByText('Piece 7').waitFor();
	await page.getByLabel('Filter the traces').fill('no such words');
	await page.getByText('No trace has these words.').waitFor();
	await page.getByLabel('Filter the traces').fill('');

	await page.getByRole('link', {name: /Piece 3/}).click();
	await page.getByRole('group', {name: /Tasks of/}).waitFor();
	await page.goBack();
	await expect.poll(() => page.evaluate('document.activeElement.textContent')).toContain('Piece 3');

	await open(page, '/runs');
	await expect.poll(() => rows.count()).toBe(9);
	await page.getByLabel('State').selectOption('failed');
	await expect.poll(() => rows.count()).toBe(1);
	await rows.getByText('Piece 7').waitFor();
	await page.getByLabel('State').selectOption('');
	await page.getByLabel('Bee').selectOption('quick');
	await expect.poll(() => rows.count()).toBe(8);
	await look(page, 'runs-filtered');

	await open(page, '/events');
	await page.getByLabel('Filter the events').fill('run.finished');
	await expect.poll(() => rows.count()).toBe(9);
	for (const text of await rows.allTextContents()) expect(text).toContain('run.finished');
});

it('a phone has four tabs, and keys of one letter can be switched off', async () => {
	const colony = await createColony({bees: {quick}});
	const {page} = await openPage(colony, {size: 'phone'});
	const tabs = page.getByRole('navigation').getByRole('link');
	const names = async () => (await tabs.allTextContents()).map(name => name.replace(/[\d ]+$/, ''));
	await expect.poll(names).toEqual(['Needs you', 'Traces', 'Sessions', 'More']);
	await tabs.getByText('More').click();
	await page.locator('main').getByRole('link', {name: 'Events'}).click();
	await page.getByText('Nothing has happened yet.').waitFor();
	await page.keyboard.press('2');
	await page.getByText(/^No traces yet/).waitFor();
	await page.getByRole('button', {name: 'Help'}).click();
	await page.getByLabel('Keys of one letter do something').uncheck();
	await page.keyboard.press('Escape');
	await page.locator('dialog').waitFor({state: 'detached'});
	await page.keyboard.press('1');
	expect(await page.evaluate('location.hash')).toBe('#/traces');
});

it('a dialog and its words stay while the console cannot be read', async () => {
	const colony = await createColony({bees: {quick}});
	const {page, ask} = await openPage(colony);
	await ask('/api/tasks', {json: {traceId: 'one', title: 'Do it', body: 'x', bee: 'quick'}}, 201);
	await open(page, '/traces/one');
	await page.getByRole('button', {name: 'Add honey', exact: true}).click();
	const amount = page.locator('dialog input').first();
	await amount.fill('7');
	await page.route('**/api/**', route => route.fulfill({status: 429, json: {detail: 'Too many.', hint: ''}}));
	const lost = page.waitForResponse(answer => answer.status() === 429);
	await ask('/api/traces/one/energy/add', {json: {amount: 1}});
	await lost;
	expect(await amount.inputValue()).toBe('7');
	await page.unroute('**/api/**');
	await page.locator('dialog').getByRole('button', {name: 'Add honey', exact: true}).click();
	await page
		.getByRole('status')
		.getByText(/^Added 7 honey/)
		.waitFor();
});

it('a live log stays where it was scrolled to, and follows its end again on request', async () => {
	const talker = {script: 'seq 1 400; wait_for more; echo the next line; wait_for end; echo over'};
	const colony = await createColony({bees: {talker}});
	const {page, ask} = await openPage(colony);
	await ask('/api/tasks', {json: {traceId: 'live', title: 'Talk', body: 'x', bee: 'talker'}}, 201);
	colony.follow();
	await open(page, '/bees');
	await page.getByRole('link', {name: /Talk/}).click();
	const log = page.locator('pre.log').first();
	const inLog = (what: string) =>
		page.evaluate<number>(`(box => ${what})(document.querySelector('pre.log'))`);
	const fromEnd = () => inLog('box.scrollHeight - box.clientHeight - box.scrollTop');
	await log.getByText('400').waitFor();
	await expect.poll(fromEnd).toBeLessThan(40);
	await inLog('box.scrollTop = 10');
	const follow = page.getByRole('button', {name: 'Follow the end'});
	await follow.waitFor();
	await colony.open('more');
	await log.getByText('the next line').waitFor();
	expect(await inLog('box.scrollTop')).toBe(10);
	await follow.click();
	await expect.poll(fromEnd).toBeLessThan(40);
	await colony.open('end');
	await log.getByText('over').waitFor();
});
