import {expect} from 'vitest';
import type {ActionId} from '../../source/host/actions/table.ts';
import {builder, createColony} from '../helpers/colony-on-disk.ts';
import {cue, scout} from '../helpers/scout.ts';
import {look, open, openPage, type Size} from './open-page.ts';

/** A plan waits: it is returned with words, then edited, at first with a problem, and accepted. */
export const plans = {
	does: ['plan.return', 'plan.edit', 'plan.accept'] satisfies ActionId[],
	tell: async (size: Size): Promise<ReadonlySet<ActionId>> => {
		const settings = {defaults: {plan_review: 'required'}};
		const colony = await createColony({bees: {builder, scout}, files: cue, settings});
		const asked = ['cue', 'run', 'feature', 'Add an endpoint'];
		const {traceId} = await colony.ask<{traceId: string}>(asked);
		await colony.hive(['run', '--until-idle']);
		const {page, ask, done} = await openPage(colony, {size});
		const shown = async (): Promise<unknown> => (await ask(`/api/traces/${traceId}/plan`)).plan;
		const plan = page.getByRole('region', {name: 'The plan of scout'});
		const said = (words: string) => page.getByRole('status').getByText(words).waitFor();

		await page.getByText('The plan of scout waits for you: 2 tasks.').waitFor();
		await look(page, 'plan-inbox');
		await page.getByRole('link', {name: 'Look at the plan of Add an endpoint'}).click();
		await plan.getByText('Document it').waitFor();
		await look(page, 'plan');
		await page.getByRole('button', {name: /^Return plan/}).click();
		await page
			.getByRole('dialog')
			.getByLabel(/What should be different/)
			.fill('Tests first, please');
		await page.getByRole('dialog').getByRole('button', {name: 'Return plan'}).click();
		await said('The bee scout plans again.');
		await colony.hive(['run', '--until-idle']);
		await open(page, `/traces/${traceId}`);
		await plan.getByText('Test the endpoint').waitFor();

		await page.getByRole('button', {name: /^Edit plan/}).click();
		const dialog = page.getByRole('dialog', {name: 'Edit the plan'});
		const task = (index: number) => dialog.locator('ol > li').nth(index);
		await dialog.getByRole('button', {name: 'Add a task'}).click();
		await task(1).getByLabel('Title').fill('Announce it');
		await task(1).getByLabel('Review').selectOption('I review it');
		await task(1).getByLabel('Test the endpoint').check();
		await task(0).getByLabel('Announce it').check();
		const before = await shown();
		await dialog.getByRole('button', {name: 'Save the plan'}).click();
		await dialog.getByRole('alert').getByText('"api" is part of a cycle').waitFor();
		expect(await shown()).toEqual(before);
		expect(await task(0).getByLabel('Announce it').isChecked()).toBe(true);
		await task(0).getByLabel('Announce it').uncheck();
		await look(page, 'plan-form');
		await dialog.getByRole('button', {name: 'Save the plan'}).click();
		await said('The plan has 2 tasks now');
		expect(await shown()).toMatchObject({
			tasks: [
				{taskId: 'api', title: 'Test the endpoint'},
				{taskId: 'task-2', title: 'Announce it', review: 'required', dependsOn: ['api']},
			],
		});
		await page.getByRole('button', {name: /^Accept plan/}).click();
		await page.getByRole('dialog').getByRole('button', {name: 'Accept plan'}).click();
		await said('Accepted the plan: 2 tasks');
		await plan.waitFor({state: 'detached'});
		return done;
	},
};
