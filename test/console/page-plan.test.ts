import {expect, it} from 'vitest';
import {builder, createColony} from '../helpers/colony-on-disk.ts';
import {cue, scout} from '../helpers/scout.ts';
import {look, open, openPage, type Size} from './open-page.ts';

/** A page at a trace whose scout has published a plan that waits. */
const openPlan = async (size: Size) => {
	const settings = {defaults: {plan_review: 'required'}};
	const colony = await createColony({bees: {builder, scout}, files: cue, settings});
	const asked = ['cue', 'run', 'feature', 'Add an endpoint'];
	const {traceId} = await colony.ask<{traceId: string}>(asked);
	await colony.hive(['run', '--until-idle']);
	const opened = await openPage(colony, {size});
	await opened.page.getByText('The plan of scout waits for you: 2 tasks.').waitFor();
	const shown = async () => {
		const {plan} = await opened.ask(`/api/traces/${traceId}/plan`);
		return plan?.tasks;
	};
	await look(opened.page, `plan-inbox-${size}`);
	await opened.page.getByRole('link', {name: 'Look at the plan of Add an endpoint'}).click();
	await opened.page.getByRole('region', {name: 'The plan of scout'}).waitFor();
	return {...opened, colony, traceId, shown};
};

it.each(['desk', 'phone'] as const)('a plan is edited and accepted on the page of a %s', async size => {
	const {page, shown, done} = await openPlan(size);
	await look(page, `plan-${size}`);
	await page.getByRole('button', {name: /^Edit plan/}).click();
	const dialog = page.getByRole('dialog', {name: 'Edit the plan'});
	const [, second] = [dialog.locator('ol > li').first(), dialog.locator('ol > li').nth(1)];
	await second.getByLabel('Title').fill('Document the endpoint');
	await second.getByLabel('Review').selectOption('I review it');
	await dialog.getByRole('button', {name: 'Add a task'}).click();
	const third = dialog.locator('ol > li').nth(2);
	await third.getByLabel('Title').fill('Announce it');
	await third.getByLabel('Document the endpoint').check();
	await look(page, `plan-form-${size}`);
	await dialog.getByRole('button', {name: 'Save the plan'}).click();
	await page.getByRole('status').getByText('The plan has 3 tasks now').waitFor();
	expect(await shown()).toMatchObject([
		{taskId: 'api'},
		{taskId: 'docs', title: 'Document the endpoint', review: 'required', dependsOn: ['api']},
		{taskId: 'task-3', title: 'Announce it', dependsOn: ['docs']},
	]);
	await page.getByRole('button', {name: /^Accept plan/}).click();
	await page.getByRole('dialog').getByRole('button', {name: 'Accept plan'}).click();
	await page.getByRole('status').getByText('Accepted the plan: 3 tasks').waitFor();
	await page.getByRole('region', {name: 'The plan of scout'}).waitFor({state: 'detached'});
	expect([...done]).toEqual(['plan.edit', 'plan.accept']);
});

it('the page lists the problems of an edited plan, and keeps what was typed', async () => {
	const {page, shown} = await openPlan('desk');
	const before = await shown();
	await page.keyboard.press('O');
	const dialog = page.getByRole('dialog', {name: 'Edit the plan'});
	await dialog.locator('ol > li').first().getByLabel('Document it').check();
	await dialog.getByRole('button', {name: 'Save the plan'}).click();
	await dialog.getByRole('alert').getByText('"api" is part of a cycle').waitFor();
	expect(await shown()).toEqual(before);
	expect(await dialog.locator('ol > li').first().getByLabel('Document it').isChecked()).toBe(true);
});

it('a plan is returned with words on the page', async () => {
	const {page, colony, traceId, shown} = await openPlan('desk');
	await page.keyboard.press('x');
	await page
		.getByRole('dialog')
		.getByLabel(/What should be different/)
		.fill('Tests first, please');
	await page.getByRole('dialog').getByRole('button', {name: 'Return plan'}).click();
	await page.getByRole('status').getByText('The bee scout plans again.').waitFor();
	await colony.hive(['run', '--until-idle']);
	await open(page, `/traces/${traceId}`);
	await page.getByRole('region', {name: 'The plan of scout'}).getByText('Test the endpoint').waitFor();
	expect(await shown()).toMatchObject([{title: 'Test the endpoint'}]);
});
