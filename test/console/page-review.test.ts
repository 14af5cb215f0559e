import {expect, it} from 'vitest';
import {readReviewMemory} from '../../source/host/review/review-memory.ts';
import {builder, createColony} from '../helpers/colony-on-disk.ts';
import {look, open, openPage} from './open-page.ts';

const fileCount = 60;
const linesPerFile = 90;

/** Makes files of code: `part-<n>/code-<n>.ts`. */
const makeFiles = `mkdir part-1 part-2
for file in $(seq 10 ${fileCount + 9}); do
	seq -f "export const value$file = %g;" ${linesPerFile} > part-$((1 + file % 2))/code-$file.ts
done`;

const openLargeReview = async (size: 'desk' | 'phone' = 'desk') => {
	const colony = await createColony({bees: {builder: {...builder, script: makeFiles}}});
	const rig = await openPage(colony, {size});
	const {traceId} = await rig.ask(
		'/api/tasks',
		{json: {title: 'Write much', body: 'x', bee: 'builder'}},
		201,
	);
	await colony.hive(['run', '--until-idle']);
	await open(rig.page, `/reviews/${traceId}/_review`);
	await rig.page.locator('#file-0 .code').first().waitFor();
	return {...rig, colony, traceId};
};

it('the page draws the files of a large review near the view alone, and keeps the words of a comment', async () => {
	const {page} = await openLargeReview();
	await expect.poll(() => page.locator('.file').count()).toBe(fileCount);
	const drawn = () => page.locator('.file tbody tr').count();
	await expect.poll(drawn).toBeGreaterThan(30);
	expect(await drawn()).toBeLessThan(5 * linesPerFile);
	const editor = page.getByRole('textbox', {name: 'Comment on part-1/code-10.ts, new line 2', exact: true});
	await page.getByText('export const value10 = 2;').click();
	await editor.fill('Why a constant?');

	await page.getByLabel('Filter the files').fill('CODE-57');
	await expect.poll(() => page.locator('.tree [data-row]').allTextContents()).toEqual(['code-57.ts  +90 −0']);
	await page.getByRole('button', {name: /code-57/}).click();
	await page.getByText('export const value57 = 1;').waitFor();
	await expect.poll(() => page.locator('#file-0 tbody').count()).toBe(0);
	await expect.poll(drawn).toBeLessThan(5 * linesPerFile);
	await look(page, 'large-review');

	await page.getByLabel('Filter the files').fill('');
	await page.getByRole('button', {name: /code-10/}).click();
	await expect.poll(() => editor.inputValue()).toBe('Why a constant?');
	await page.getByRole('button', {name: 'Add comment'}).click();
	await page.getByLabel('Your comments').getByText('Why a constant?').waitFor();
});

it('the inbox of the page has a line for each review, with what speaks against it', async () => {
	const verify = {commands: [['sh', '-c', 'test ! -e red.txt']]};
	const bees = {builder: {...builder, script: 'echo "made for $HIVE_TRACE_ID" >"$HIVE_TRACE_ID.txt"'}};
	const colony = await createColony({bees, settings: {verify}});
	const {page, ask} = await openPage(colony);
	for (const traceId of ['red', 'green'])
		await ask('/api/tasks', {json: {traceId, title: `Make it ${traceId}`, body: 'x', bee: 'builder'}}, 201);
	await colony.hive(['run', '--until-idle']);
	const row = (name: string) => page.locator('.k-review .entry', {hasText: `Make it ${name}`});
	await row('red').getByText('1 check failed').waitFor();
	expect(await row('green').getByText('failed').count()).toBe(0);
	await row('red').getByRole('link', {name: 'Review Make it red'}).click();
	await page.getByText('made for red').click();
	await page.getByRole('textbox', {name: 'Comment on red.txt, new line 1'}).fill('Why?');
	await page.getByRole('button', {name: 'Add comment'}).click();
	await page.getByLabel('Your comments').waitFor();
	await open(page, '/inbox');
	await row('red').getByText('1 comment', {exact: true}).waitFor();
	for (const name of ['red', 'green'])
		expect((await row(name).locator('.grow').boundingBox())?.height).toBeLessThan(30);
	await look(page, 'inbox-reviews');
});

it('a file that is marked as reviewed on the page is folded, and so it is in the dashboard', async () => {
	const {page, colony, traceId, host, send} = await openLargeReview('phone');
	const memory = async () => readReviewMemory((await host.open()).files, await host.machineFolder());
	const mark = page.getByRole('checkbox', {name: 'part-1/code-10.ts is reviewed'});
	const line = page.getByText('export const value10 = 1;');
	await mark.check();
	await line.waitFor({state: 'hidden'});
	const blob = await colony.git(['hash-object', `.hive/worktrees/${traceId}/part-1/code-10.ts`]);
	await expect.poll(memory).toMatchObject({reviewed: [`${blob.slice(0, 7)} part-1/code-10.ts`]});
	await page.getByText(`${fileCount} files, 1 reviewed`).waitFor();
	await page.getByText('export const value12 = 1;').waitFor();
	await look(page, 'review-marks');
	await page.reload();
	await page.locator('#file-1 .code').first().waitFor();
	expect([await mark.isChecked(), await line.isVisible()]).toEqual([true, false]);
	await mark.uncheck();
	await line.waitFor();
	await expect.poll(memory).toMatchObject({reviewed: []});

	const refused = async (json: object, as: 'act' | 'read' = 'act') =>
		(await send('/api/review-marks', {json, as})).status;
	expect(await refused({mark: '../../secret', reviewed: true})).toBe(400);
	expect(await refused({mark: '1234567 a.ts', reviewed: true}, 'read')).toBe(403);
	expect(await memory()).toMatchObject({reviewed: []});
});

it('the page tells who wrote a line of the change', async () => {
	const script = 'printf "one\\nchanged\\n" >lines.txt; echo "Changed the second line."';
	const bees = {builder: {...builder, script}};
	const colony = await createColony({bees, files: {'lines.txt': 'one\ntwo\n'}});
	const {page, ask} = await openPage(colony, {size: 'phone'});
	const task = {title: 'Change a line', body: 'x', bee: 'builder'};
	const {traceId} = await ask('/api/tasks', {json: task}, 201);
	await colony.hive(['run', '--until-idle']);
	await open(page, `/reviews/${traceId}/_review`);
	const told = (side: string, line: number) => page.getByLabel(`Who wrote ${side} line ${line}`);
	const press = (name: string) => page.getByRole('button', {name, exact: true}).click();
	await page.getByLabel('Comment on lines.txt, new line 2').click();
	await press('Who wrote it');
	await told('new', 2).getByText('Changed the second line.').waitFor();
	await told('new', 2).getByText('not approved yet').waitFor();
	expect(await told('new', 2).textContent()).not.toContain(traceId);
	await look(page, 'line-origin');
	await press('Close');
	await page.getByLabel('Comment on lines.txt, old line 2').click();
	await press('Who wrote it');
	await told('old', 2)
		.getByText(/not recorded/)
		.waitFor();
});
