import {execFileSync} from 'node:child_process';
import {join} from 'node:path';
import type {Locator, Page} from 'playwright-core';
import {expect, it} from 'vitest';
import {type ActionId, actionIds, actionTable} from '../../source/host/actions/table.ts';
import {builder, createColony} from '../helpers/colony-on-disk.ts';
import {createForgeColony} from '../helpers/forge-colony.ts';
import {createSessionScene} from '../helpers/talk.ts';
import {look, open, openPage, type Size} from './open-page.ts';
import {plans} from './plan-story.ts';

/** Actions that no story presses, with the reason: most are left to the person at the machine. */
const notPressed = {
	'task.create': 'A plan is written in a file; the page asks for work by a cue.',
	'bee.run': 'The page asks for work by a cue.',
	'invite.record': 'It is what a bee says.',
	'trace.take': 'Who takes a trace to a checkout is there.',
	'question.answer': 'A run has to wait for it meanwhile, and no story here has one.',
	restore: 'It writes files of the checkout.',
	prune: 'It removes files of the machine.',
	purge: 'It removes files of the machine, for good.',
} as const;

/** A task that a person does with the page. */
type Story = {
	/** The actions that the story performs with buttons of the page. */
	readonly does: readonly ActionId[];
	readonly tell: (size: Size) => Promise<ReadonlySet<ActionId>>;
};

/** Presses a button and the one of its dialog, and waits for the confirmation on the page. */
const press = async (
	page: Page,
	name: string,
	said: RegExp,
	{
		within = page.locator('main'),
		fill = async () => {},
		confirm = name,
	}: {within?: Locator; fill?: Fill; confirm?: string} = {},
): Promise<void> => {
	await within.getByRole('button', {name, exact: true}).first().click();
	const dialog = page.locator('dialog');
	await fill(dialog);
	await dialog.getByRole('button', {name: confirm, exact: true}).click();
	await page.getByRole('status').getByText(said).waitFor();
};

type Fill = (dialog: Locator) => Promise<unknown>;

const fix = {
	description: 'Fix one thing now.',
	...{emit: 'task', bee: 'builder', review: 'none', autorun: true, title: '{{.Title}}', body: '{{.Text}}'},
};

const merges: Story = {
	does: ['cue.run', 'energy.add', 'proposal.reject', 'proposal.update', 'proposal.approve'],
	tell: async size => {
		const colony = await createColony({bees: {builder}, files: {'.hive/cues/fix.yaml': JSON.stringify(fix)}});
		const {page, ask, model, done} = await openPage(colony, {size});
		expect(page.url()).not.toContain('code');

		// A cue starts work, and its result appears without a reload.
		await page.getByText('Nothing needs you.').waitFor();
		await page.getByRole('button', {name: /Start work/}).click();
		await page.locator('dialog textarea[name=body]').fill('Add <b>a page</b>\u202e');
		await page.locator('dialog [name=base]').fill('main');
		await look(page, 'cue');
		await page.locator('dialog').getByRole('button', {name: 'Start', exact: true}).click();
		await page.getByRole('status').getByText('Trace: ').waitFor();
		await expect.poll(() => model.traces().size).toBe(1);
		const [{traceId, taskId}] = (await ask('/api/tasks')).groups.flatMap(
			({tasks}: {tasks: object[]}) => tasks,
		);
		await colony.hive(['run', '--until-idle']);
		await page.getByRole('link', {name: /Needs you 1/}).waitFor();
		await expect.poll(() => page.title()).toMatch(/^\(1\) /);
		await look(page, 'inbox');
		await open(page, '/traces');
		await page.getByRole('link', {name: /waiting for review.*Add <b>a page<\/b>/s}).waitFor();
		await page.getByText('into main').waitFor();
		await look(page, 'traces');
		await page.getByRole('link', {name: /waiting for review.*Add <b>/s}).click();
		await page.getByRole('group', {name: /Tasks of/}).waitFor();
		await look(page, 'trace');
		await press(page, 'Add honey', /^Added 5 honey/, {
			fill: async dialog => {
				await look(page, 'honey');
				await dialog.getByRole('button', {name: '5', exact: true}).click();
			},
		});
		await expect.poll(() => model.traces().get(traceId)?.energyRemaining).toBe(16);

		await open(page, `/traces/${traceId}/${taskId}`);
		await page.locator('details.part').first().waitFor();
		await look(page, 'task');
		await open(page, '/runs');
		await page
			.locator('main')
			.getByRole('link', {name: /builder/})
			.click();
		await page.getByText(`Built ${taskId}`).first().waitFor();
		await look(page, 'run');

		// A comment on a line reaches the bee that reworks it.
		await open(page, '/reviews');
		await page.getByRole('link', {name: /merge/}).click();
		await page.getByText(`made by ${taskId}`).first().waitFor();
		await look(page, 'review');
		const editor = page.getByLabel(`Comment on ${taskId}.txt, new line 1`);
		await page.getByText(`made by ${taskId}`).last().click();
		await editor.last().fill('Say hello instead');
		// Unfinished words survive a look at another screen.
		await open(page, '/traces');
		await page.getByRole('link', {name: /^Review Add/}).click();
		expect(await editor.last().inputValue()).toBe('Say hello instead');
		await look(page, 'comment');
		await page.getByRole('button', {name: 'Add comment'}).click();
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

		// Then the work is merged as it was shown.
		await colony.hive(['run', '--until-idle']);
		await expect.poll(() => model.traces().get(traceId)?.tasks.get('_review')?.status).toBe('waiting_review');
		await colony.write('beside.md', 'Another program was here.\n');
		await colony.commit('Something else');
		await open(page, `/reviews/${traceId}/_review`);
		await press(page, 'Update from base', /^Merged main into /);
		await press(page, 'Approve', /^Merged into main/, {
			confirm: 'Merge',
			fill: async dialog => {
				await look(page, 'approve');
				await dialog.getByLabel('Commit message').fill('A page of mine');
			},
		});
		expect((await colony.git(['log', '-1', '--format=%s'])).trim()).toBe('A page of mine');
		await open(page, '/inbox');
		await page.getByText('Nothing needs you.').waitFor();
		for (const screen of ['events', 'topology', 'sessions', 'invites', 'bees']) {
			await open(page, `/${screen}`);
			await page.locator('main > *').first().waitFor();
			await look(page, screen);
		}
		return done;
	},
};

const tasks: Story = {
	does: [
		...(['task.retry', 'task.start', 'freeze', 'thaw', 'energy.add', 'task.cancel', 'kill'] as const),
		'bee.retry',
	],
	tell: async size => {
		const bees = {
			builder: {...builder, script: 'echo "at it"; wait_for go'},
			failer: {script: 'echo "No such model." >&2; exit 3'},
		};
		const colony = await createColony({bees});
		const {page, ask, model, done} = await openPage(colony, {size});
		const items = [
			{taskId: 'work', title: 'Do the work', body: 'x', bee: 'builder'},
			{taskId: 'beside', title: 'Do more', body: 'x', bee: 'builder'},
			{taskId: 'last', title: 'End it', body: 'x', bee: 'builder', dependsOn: ['work']},
		];
		const failing = {title: 'Fail at it', body: 'x', bee: 'failer'};
		const failed = await ask('/api/tasks', {json: failing}, 201);
		colony.follow();
		await page.getByText('Fail at it').first().waitFor();
		await look(page, 'inbox-failed');
		await press(page, 'Retry', /^Task .+ is ready again/, {
			fill: dialog => dialog.locator('textarea[name=feedback]').fill('Try it with another model'),
		});
		await expect.poll(() => model.traces().get(failed.traceId)?.tasks.get(failed.taskId)?.attempt).toBe(2);
		const {traceId} = await ask('/api/tasks', {json: {items}}, 201);

		// Of freezing and thawing, the page offers the applicable one.
		await open(page, '/bees');
		await page.getByText('at it', {exact: true}).waitFor();
		await look(page, 'bees-at-work');
		await open(page, `/traces/${traceId}`);
		await page.getByRole('group', {name: /Tasks of/}).waitFor();
		await look(page, 'trace-running');
		expect(await page.getByRole('button', {name: 'Thaw'}).count()).toBe(0);
		await press(page, 'Freeze', /^Froze /);
		await page.getByRole('button', {name: 'Thaw'}).waitFor();
		await expect.poll(() => page.getByRole('button', {name: 'Freeze'}).count()).toBe(0);
		await open(page, '/bees');
		await page.getByText('frozen, at it').waitFor();
		await open(page, `/traces/${traceId}`);
		await press(page, 'Thaw', /^Thawed /);
		await page.getByRole('button', {name: 'Freeze'}).waitFor();

		await press(page, 'Add honey', /^Added 2 honey/, {
			fill: dialog => dialog.locator('input[name=amount]').fill('2'),
		});
		await open(page, `/traces/${traceId}/beside`);
		await press(page, 'Start', /^Task Do more is ready/);
		await open(page, `/traces/${traceId}/last`);
		await page.getByRole('button', {name: 'Cancel task'}).waitFor();
		expect(await page.getByRole('button', {name: 'Start'}).count()).toBe(0);
		await press(page, 'Cancel task', /^Cancelled End it/);
		await open(page, `/traces/${traceId}`);
		await press(page, 'Kill', /^Killed /);
		await ask('/api/bees/failer/run', {json: {body: 'x'}}, 201);
		await open(page, '/inbox');
		const ofBee = page.locator('li.entry').filter({hasNotText: 'Fail at it'});
		await press(page, 'Retry', /^The bee failer runs again/, {within: ofBee});
		return done;
	},
};

const talks: Story = {
	does: ['invite.reject', 'invite.accept', 'bee.chat', 'session.send', 'session.stop'],
	tell: async size => {
		const colony = await createSessionScene({bees: {builder}});
		const {page, ask, done} = await openPage(colony, {size});
		const {traceId} = await ask('/api/tasks', {json: {title: 'x', body: 'x', bee: 'builder'}}, 201);
		for (const body of ['Is it blue?', 'Is it late?', 'Is it mine?'])
			await ask('/api/invites', {json: {traceId, bee: 'talker', body}}, 201);
		colony.follow();
		await open(page, '/invites');
		const about = (words: string) => page.locator('li.card').filter({hasText: words});
		await about('Is it mine?').waitFor();
		await look(page, 'invites-waiting');
		await press(page, 'Reject', /^Deferred /, {
			within: about('Is it late?'),
			fill: dialog => dialog.locator('input[name=defer]').check(),
		});
		await about('Is it late?').getByText('deferred').waitFor();
		await press(page, 'Reject', /^Rejected /, {within: about('Is it mine?')});
		await about('Is it mine?').waitFor({state: 'detached'});
		await press(page, 'Accept', /^Accepted /, {within: about('Is it blue?')});

		await open(page, '/sessions');
		const sessions = page.getByRole('link', {name: /(working|idle).*talker/});
		await expect.poll(() => sessions.count()).toBe(1);
		await page.getByRole('button', {name: 'Start', exact: true}).click();
		await page
			.getByRole('status')
			.getByText(/^Requested in /)
			.waitFor();
		await expect.poll(() => sessions.count()).toBe(2);
		await look(page, 'sessions-open');
		await sessions.last().click();
		await page.getByText('talker of [').waitFor();
		await page.getByLabel('Say to the session').fill('say hello');
		await page.getByRole('button', {name: 'Send'}).click();
		await page.getByText('heard hello').waitFor();
		await look(page, 'session');

		// A read-only person sees the same and can type nothing.
		const reader = await openPage(colony, {scope: 'read', size});
		await open(reader.page, new URL(page.url()).hash.slice(1));
		await reader.page.getByText('heard hello').waitFor();
		expect(await reader.page.getByRole('textbox').count()).toBe(0);
		expect(await reader.page.getByRole('button').allTextContents()).toEqual(['?']);

		page.once('dialog', dialog => void dialog.accept());
		await page.getByRole('button', {name: 'Stop', exact: true}).click();
		await page.getByText('It is over.').waitFor();
		await look(page, 'session-over');
		return done;
	},
};

const configuration: Story = {
	does: ['configuration.accept'],
	tell: async size => {
		const colony = await createColony({bees: {builder}, files: {'.hive/prompts/do.md': 'first\n'}});
		const {page, context, done} = await openPage(colony, {size});
		await context.writers?.beginWriting({id: 'run a', description: '"Sort the list" was running'});
		await colony.write('.hive/prompts/do.md', 'second\n');
		const banner = page.getByRole('alert');
		await banner.getByText('changed while "Sort the list" was running').waitFor();
		await look(page, 'configuration-awaiting');
		await page.locator('li.entry').getByRole('button', {name: 'Show and accept'}).click();
		await page.locator('dialog').getByText('second').first().waitFor();
		await look(page, 'configuration-change');
		await page.keyboard.press('Escape');
		await page.keyboard.press('F');
		await page.locator('dialog').getByText('second').first().waitFor();
		await page.locator('dialog').getByRole('button', {name: 'Accept', exact: true}).click();
		await page.getByRole('status').getByText('1 file below .hive/ is in force').waitFor();
		await banner.getByText('Sort the list').waitFor({state: 'detached'});
		return done;
	},
};

/**
 * A program with one function, whose name is in `name`, and its callers in `uses/`. The check fails if a
 * caller has another name. It waits at the gate `check` if there is one.
 */
const program = {
	name: 'greet\n',
	'uses/first': 'greet\n',
	'check.sh': `[ ! -p "$HOME/gates/check" ] || read -r word <"$HOME/gates/check"
for f in uses/*; do cmp -s name "$f" || { echo "FAIL $f calls an unknown name"; exit 3; }; done
`,
};

/** The task's name decides what it changes. */
const renamer = {
	...builder,
	script: `
case $HIVE_TASK_ID in
rename) for f in name uses/*; do echo welcome >"$f"; done ;;
*) echo greet >uses/second ;;
esac
echo "Did $HIVE_TASK_ID"`,
};

const landings: Story = {
	does: ['proposal.approve', 'landing.cancel', 'landing.retry'],
	tell: async size => {
		const verify = {commands: [['sh', 'check.sh']], required: true, parallel: 1};
		const colony = await createColony({bees: {builder: renamer}, settings: {verify}, files: program});
		const {page, ask, model, done} = await openPage(colony, {size});
		const add = (taskId: string, title: string) =>
			ask('/api/tasks', {json: {traceId: taskId, taskId, title, body: 'x', bee: 'builder'}}, 201);
		await add('rename', 'Rename the function');
		await add('call', 'Call the function');
		await colony.hive(['run', '--until-idle']);
		await page.getByRole('link', {name: 'Needs you 2', exact: true}).waitFor();

		// Each has passed alone. What would land has not once the base moves, as an open page shows.
		await open(page, '/reviews/rename/_review');
		await page.getByText('passed on the tree that lands').waitFor();
		await colony.write('beside.md', 'Another program was here.\n');
		await colony.commit('Something else');
		await page.getByText('the merge with main is not checked yet').waitFor();
		expect(await page.getByText('passed on the tree that lands').count()).toBe(0);
		await open(page, '/traces/rename');
		await page.getByText('the merge with main is not checked yet').waitFor();
		execFileSync('mkfifo', [join(colony.home, 'gates/check')]);
		colony.follow();
		const approve = async (traceId: string, said: RegExp, fill: Fill = async () => {}) => {
			await open(page, `/reviews/${traceId}/_review`);
			await page.getByRole('button', {name: /^Approve/, disabled: false}).waitFor();
			await press(page, 'Approve', said, {fill});
		};
		await approve('rename', /^Approved\. It lands once/, async dialog => {
			await dialog.getByText('once this merge has passed sh check.sh.').waitFor();
			await look(page, 'approve-checked');
		});
		await page.getByText('Landing: number 1 on main, its checks run').waitFor();
		expect(await page.getByRole('button', {name: /^Approve/}).count()).toBe(0);
		await look(page, 'review-landing');

		// The second one waits behind it. Neither needs a person.
		await approve('call', /^Approved\. It is number 2/, async dialog => {
			await dialog.getByText('One merge is ahead of it.').waitFor();
		});
		await open(page, '/inbox');
		await page.getByText('Nothing needs you.').waitFor();
		await open(page, '/traces');
		await page.getByText('Landing: number 2 on main, waits for its checks').waitFor();
		await look(page, 'traces-landing');

		// A person takes it back, and approves it again.
		await page.getByRole('link', {name: /landing.*Call the function/s}).click();
		await page.getByText('Landing: number 2 on main').waitFor();
		await look(page, 'trace-landing');
		await press(page, 'Stop landing', /^It left the landing queue/);
		await page.getByText('It did not land. ').waitFor();
		await page.getByRole('link', {name: 'Needs you 1', exact: true}).waitFor();
		await approve('call', /^Approved\. It is number 2/);

		// The first one lands. The second one fails on top of it, and is back with the output.
		await colony.open('check');
		await expect.poll(() => model.traces().get('rename')?.tasks.get('_review')?.status).toBe('completed');
		await colony.open('check');
		await page.getByText('It did not land. The checks failed on the merge with main').waitFor();
		await page.getByText('FAIL uses/second calls an unknown name', {exact: true}).waitFor();
		await look(page, 'review-left');
		await open(page, '/traces/call');
		await page.getByText('FAIL uses/second calls an unknown name', {exact: true}).waitFor();
		await open(page, '/inbox');
		await page.getByText('It did not land. The checks failed on the merge with main').waitFor();
		await look(page, 'inbox-left');

		// It is checked again, and merged at last without checks. Who did so, and why, stays on it.
		await open(page, '/reviews/call/_review');
		await press(page, 'Check again', /^It is number 1/);
		await page.getByText('Landing: number 1 on main, its checks run').waitFor();
		await colony.open('check');
		await page.getByText('It did not land. The checks failed').waitFor();
		await page.getByRole('button', {name: /^Approve/, disabled: false}).click();
		const dialog = page.locator('dialog');
		await dialog.getByRole('button', {name: 'Approve', exact: true}).click();
		await dialog.getByText('Close this and press “Check again”').waitFor();
		await dialog.getByRole('button', {name: 'Merge without checks…'}).click();
		await dialog.getByLabel(/^Why/).fill('The callers follow');
		await look(page, 'override');
		await dialog.getByRole('button', {name: 'Merge without checks', exact: true}).click();
		await page
			.getByRole('status')
			.getByText(/^Merged into main/)
			.waitFor();
		const words = 'Merged into main without checks by the console';
		await open(page, '/traces/call');
		await page.getByText(`${words} (phone): “The callers follow”`).waitFor();
		await look(page, 'trace-unchecked');
		await open(page, '/traces');
		await page.getByText(`${words}: “The callers follow”`).waitFor();
		return done;
	},
};

const requests: Story = {
	does: ['proposal.approve', 'forge.send'],
	tell: async size => {
		const {colony, env, server, bare, work, hive} = await createForgeColony();
		await work('one');
		const {page, model, done} = await openPage({...colony, env: {...colony.env, ...env}}, {size});

		// The work goes to the forge as it was shown, and waits there for other people.
		await open(page, '/reviews/one/_review');
		await page.getByRole('button', {name: /^Approve/, disabled: false}).waitFor();
		await press(page, 'Approve', /^Approved\. Its pull request is being sent/, {
			confirm: 'Pull request',
			fill: async dialog => {
				await dialog.getByRole('button', {name: 'Merge', exact: true}).waitFor();
				await look(page, 'approve-request');
			},
		});
		await hive('forge', 'watch', '--once');
		await page.getByText('Pull request #1 waits at the forge.').waitFor();
		await page.locator('.state').getByText('at the forge').waitFor();
		expect(await page.getByRole('button', {name: /^Send to agent/}).count()).toBe(0);
		await look(page, 'review-at-forge');
		await open(page, '/inbox');
		await page.getByText('Nothing needs you.').waitFor();

		// The person gets the check and the comment, and sends both to the agent.
		const head = await bare.git(['rev-parse', 'hive/one']);
		server.check({name: 'lint', state: 'failed', commit: head, summary: 'line too long'});
		server.comment(1, {author: 'ada', body: 'Say who made it.'});
		await hive('forge', 'watch', '--once');
		await page.getByText('Pull request #1: "lint" failed, 1 comment of ada.').waitFor();
		await look(page, 'inbox-request');
		await open(page, '/traces/one');
		await page.getByRole('button', {name: /^Send to agent/}).waitFor();
		await open(page, '/reviews/one/_review');
		await page.getByText('Say who made it.').first().waitFor();
		await look(page, 'review-request');
		await press(page, 'Send to agent', /^Sent 1 failed check and 1 comment/, {
			fill: async dialog => {
				await dialog.getByLabel(/^What to tell it/).fill('Only the first');
				expect(await dialog.getByRole('textbox').count()).toBe(1);
			},
		});
		await expect.poll(() => model.traces().get('one')?.pullRequest?.comments[0]?.sentTo).toBeDefined();
		const feedback = (await colony.replay('one')).findLast(({payload}) => payload.kind === 'human.feedback');
		expect(feedback?.payload.message).toMatch(/^Only the first.*ada wrote:\nSay who made it\.$/s);
		return done;
	},
};

const stories = {merges, tasks, talks, configuration, landings, requests, plans};

for (const [name, {does, tell}] of Object.entries(stories))
	it.each(['phone', 'desk'] as const)(`the page offers all actions of ${name} on a %s`, async size => {
		expect([...(await tell(size))].toSorted()).toEqual(does.toSorted());
	});

it('every action is pressed on the page, or has a reason why not', () => {
	const pressed = new Set(Object.values(stories).flatMap(({does}) => does));
	const left = actionIds.filter(id => !pressed.has(id));
	expect(left.toSorted()).toEqual(Object.keys(notPressed).toSorted());
	// Every action with a precondition is offered when that holds.
	expect(left.filter(id => 'blocked' in actionTable[id])).toEqual([]);
});
