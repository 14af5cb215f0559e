import {expect, it} from 'vitest';
import {createColony} from '../helpers/colony-on-disk.ts';
import {look, open, openPage} from './open-page.ts';

it.each([390, 1440])(
	'a person can view the devices, revoke one and log out, at a width of %i pixels',
	async width => {
		const {page, keyFile} = await openPage(await createColony());
		await page.setViewportSize({width, height: 844});
		const {devices} = keyFile;
		await devices.add({name: 'wall', agent: 'Chrome on Linux', scope: 'read', by: 'link'});
		const hostile = '<b>x</b> \u202e'.padEnd(40, 'W').slice(0, 40);
		await devices.add({name: hostile, agent: 'curl/8.5.0'.padEnd(60, 'M'), scope: 'act', by: 'link'});

		await page.keyboard.press('?');
		await page.locator('dialog').getByRole('link', {name: 'Devices'}).click();
		const own = page.locator('li.device').filter({hasText: 'this device'});
		await own.getByText('phone').waitFor();
		await expect.poll(() => page.locator('li.device').count()).toBe(3);
		expect(await own.getByText(/Chrome on/).count()).toBe(1);
		expect(await own.getByRole('button').allTextContents()).toEqual(['Log out']);
		await page.getByText('<b>x</b>').waitFor();
		await look(page, 'devices');

		await page.getByRole('button', {name: 'Revoke wall'}).click();
		await look(page, 'devices-revoke');
		await page.locator('dialog').getByRole('button', {name: 'Revoke', exact: true}).click();
		await page.getByRole('status').getByText('Revoked wall.').waitFor();
		await expect.poll(() => page.locator('li.device').count()).toBe(2);

		await own.getByRole('button', {name: 'Log out'}).click();
		await page.getByLabel('Token').waitFor();
		expect(await page.evaluate('localStorage.length')).toBe(0);
		expect(await page.context().cookies()).toEqual([]);
		expect((await devices.list()).map(({name}) => name)).toEqual([hostile]);
	},
);

it('a read-only device sees all devices, and can log out only itself', async () => {
	const {page, keyFile} = await openPage(await createColony(), {scope: 'read', size: 'phone'});
	await keyFile.devices.add({name: 'wall', agent: '', scope: 'read', by: 'link'});
	await open(page, '/devices');
	await page.getByText('unknown browser').waitFor();
	expect(await page.locator('main').getByRole('button').allTextContents()).toEqual(['Log out']);
	await page.getByRole('button', {name: 'Log out'}).click();
	await page.getByLabel('Token').waitFor();
	expect((await keyFile.devices.list()).map(({name}) => name)).toEqual(['wall']);
});

it('the page of a revoked device shows no data any more, and asks for a link', async () => {
	const {page, keyFile} = await openPage(await createColony());
	await page.getByText('main · live').waitFor();
	const [{device = ''} = {}] = await keyFile.devices.list();
	await keyFile.devices.revoke(device);
	await page.getByLabel('Token').waitFor();
	expect(await page.getByRole('navigation').count()).toBe(0);
});

it('the page reports a failed logout', async () => {
	const {page, keyFile} = await openPage(await createColony());
	await open(page, '/devices');
	await page.route('**/api/logout', route =>
		route.fulfill({status: 409, json: {detail: 'The log is away.', hint: ''}}),
	);
	await page.getByRole('button', {name: 'Log out'}).click();
	await page.getByRole('status').getByText('The log is away.').waitFor();
	expect(await page.evaluate('localStorage.length')).toBe(1);
	expect(await keyFile.devices.list()).toHaveLength(1);
});
