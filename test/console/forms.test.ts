import {build} from 'esbuild';
import {type Browser, chromium, type Page} from 'playwright-core';
import {afterAll, beforeAll, expect, it} from 'vitest';
import {actionCommand} from '../../source/cli/action-command.ts';
import {renderText} from '../../source/cli/text.ts';
import {renderUsage} from '../../source/cli/usage.ts';
import {addresses} from '../../source/console/addresses.ts';
import {openApiOf} from '../../source/console/openapi.ts';
import type {Action} from '../../source/host/actions/action.ts';
import {flagKeyOf} from '../../source/host/actions/command-line.ts';
import {inputFields} from '../../source/host/actions/input-fields.ts';
import {type ActionId, actionIds, actionTable} from '../../source/host/actions/table.ts';

const actionOf = (id: ActionId): Action => actionTable[id] as unknown as Action;

/** The booleans in the inputs of all actions. */
const switches = actionIds.flatMap(id =>
	inputFields(actionOf(id)).flatMap(field => (field.kind === 'boolean' ? [{id, ...field}] : [])),
);

let browser: Browser;
let page: Page;
const sent: object[] = [];

beforeAll(async () => {
	const {outputFiles} = await build({
		stdin: {
			contents: `
				import {h, render} from 'preact';
				import {ActionDialog} from './action-dialog.tsx';
				window.show = action => {
					render(null, document.body);
					const none = () => {};
					render(h(ActionDialog, {action, label: 'Do it', names: {}, done: none, close: none}), document.body);
				};`,
			resolveDir: 'source/console/page',
		},
		...{bundle: true, write: false, format: 'iife', charset: 'ascii'},
	});
	browser = await chromium.launch({executablePath: '/usr/bin/chromium', args: ['--no-sandbox']});
	page = await browser.newPage();
	await page.route('http://forms.test/**', route => {
		const request = route.request();
		if (request.method() === 'POST') sent.push(request.postDataJSON());
		return request.method() === 'POST'
			? route.fulfill({json: {message: 'Done.'}})
			: route.fulfill({contentType: 'text/html', body: '<!doctype html><title>forms</title>'});
	});
	await page.goto('http://forms.test/');
	await page.addScriptTag({content: outputFiles[0]?.text ?? ''});
});
afterAll(() => browser.close());

/** Returns the dialog that the page makes of an action's record. */
const show = async (id: ActionId) => {
	const {summary, description = '', ...action} = actionOf(id);
	const shown = {id, path: addresses[id].paths[0], summary, description, fields: inputFields(action)};
	await page.evaluate(`show(${JSON.stringify(shown)})`);
	const dialog = page.locator('dialog');
	for (const field of await dialog.locator('textarea[required], input[required]').all())
		await field.fill('7');
	const submit = async (): Promise<object | undefined> => {
		const [answer] = await Promise.all([
			page.waitForResponse(response => response.request().method() === 'POST'),
			dialog.getByRole('button', {name: 'Do it', exact: true}).click(),
		]);
		await answer.finished();
		return sent.at(-1);
	};
	return {dialog, submit};
};

it('in every form a ticked box sends true and an unticked one does not', async () => {
	for (const id of actionIds) {
		const fields = inputFields(actionOf(id)).filter(({kind}) => kind === 'boolean');
		for (const {name, summary, initially = false} of fields) {
			const first = await show(id);
			const box = first.dialog.locator(`input[type=checkbox][name=${name}]`);
			expect([id, name, await box.isChecked()]).toEqual([id, name, initially]);
			const label = await page.locator('label', {has: page.locator(`input[name=${name}]`)}).textContent();
			expect(label).toContain(summary);
			await box.setChecked(true);
			expect(await first.submit()).toMatchObject({[name]: true});
			const second = await show(id);
			const other = second.dialog.locator(`input[type=checkbox][name=${name}]`);
			await other.setChecked(true);
			await other.setChecked(false);
			expect(await second.submit()).toMatchObject({[name]: false});
		}
		if (fields.length === 0) await (await show(id)).submit();
	}
});

it('the label of a box states what ticking it does, never what an unticked box does', () => {
	const opposite = /^(?:leave|do not|don't|never|no|not|without|skip|omit|stop|turn off|disable)\b/i;
	expect(switches.filter(({summary}) => opposite.test(summary)).map(({id, name}) => `${id} ${name}`)).toEqual(
		[],
	);
});

it('a box that is ticked at first has a flag that turns it off, with help for that case', () => {
	for (const {id, name, summary, initially = false, turnedOff} of switches) {
		const flag = flagKeyOf(name).replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`);
		const help = renderText(renderUsage(actionCommand(actionOf(id))), false).replace(/\s+/g, ' ');
		expect(help).toContain(`--${initially ? 'no-' : ''}${flag} ${turnedOff ?? summary}`);
		if (turnedOff !== undefined) expect(turnedOff).not.toBe(summary);
	}
});

it('the API description states for every boolean what true does, and what happens without it', () => {
	const {paths} = openApiOf([], '0.0.0');
	const described: Readonly<Record<string, unknown>> = paths;
	for (const {id, name, summary, initially} of switches) {
		if (addresses[id].forbiddenFields?.includes(name)) continue;
		const path = addresses[id].paths[0].replace(/:(\w+)/g, '{$1}');
		expect(described[path]).toMatchObject({
			post: {
				requestBody: {
					content: {
						'application/json': {
							schema: {
								properties: {
									[name]: {
										type: 'boolean',
										description: summary,
										...(initially === undefined ? {} : {default: initially}),
									},
								},
							},
						},
					},
				},
			},
		});
	}
});
