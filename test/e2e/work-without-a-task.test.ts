import {describe, expect, test} from 'vitest';
import {createColony, publishesIsolated} from '../helpers/colony-on-disk.ts';
import {createSessionScene, isOver, talkerProgram, typeAndWait} from '../helpers/talk.ts';

/** A bee that executes its prompt as a script in the worktree. */
const builder = {
	worktree: true,
	publishes: publishesIsolated,
	prompt_template: 'told.md',
	script: 'sh "$HIVE_PROMPT_FILE"',
};
const files = {'.hive/prompts/told.md': '{{.Task}}\n'};

const gate = ['--trace', 't', '--task', '_review'] as const;
const onTrace = ['--trace', 't'] as const;

type Proposals = {readonly proposals: readonly Record<string, unknown>[]};

describe('work without a task', () => {
	test('from hive bee run opens a review, has another round after a rejection, and is merged', async () => {
		const {ask, hive, git} = await createColony({bees: {builder}, files});
		await ask(['bee', 'run', 'builder', ...onTrace, '--body', 'echo one >one.txt\necho more >more.txt']);
		expect((await hive(['run', '--until-idle'])).exitCode).toBe(8);
		expect(await ask(['status'])).toMatchObject({
			traces: [{title: 'echo one >one.txt'}],
			inbox: [{kind: 'review', actions: ['proposal.approve', 'proposal.reject']}],
		});
		expect(await ask<Proposals>(['proposal', 'list'])).toMatchObject({
			proposals: [{taskId: '_review', round: 1, asked: [], changedSince: true, verdictIsOlder: false}],
		});
		await ask(['proposal', 'reject', ...gate, '--feedback', 'echo two >two.txt']);
		expect((await hive(['run', '--until-idle'])).exitCode).toBe(8);
		expect(await ask<Proposals>(['proposal', 'list'])).toMatchObject({
			proposals: [{taskId: '_review', round: 2, asked: ['echo two >two.txt'], changedSince: true}],
		});
		const {stdout} = await hive(['proposal', 'list']);
		expect(stdout).toContain('echo one >one.txt: round 2, asked for "echo two >two.txt"');
		expect(await ask(['wait', ...onTrace, '--for', 'review'])).toBeDefined();
		await ask(['proposal', 'approve', ...gate]);
		expect(await git(['ls-files', '*.txt'])).toMatch(/more\.txt\n.*one\.txt\n.*two\.txt/s);
		expect(await ask(['wait', ...onTrace, '--for', 'completed'])).toBeDefined();
	});

	test('from a failed run is also reviewed, with the failure shown', async () => {
		const {ask, hive} = await createColony({bees: {builder}, files});
		await hive(['bee', 'run', 'builder', ...onTrace, '--body', 'echo half >half.txt; exit 3']);
		expect((await hive(['run', '--until-idle'])).exitCode).toBe(9);
		expect(await ask(['status'])).toMatchObject({inbox: [{kind: 'review'}, {kind: 'failed'}]});
		expect(await ask(['task', 'show', ...gate])).toMatchObject({
			task: {summary: expect.stringContaining('builder failed: ')},
		});
		await ask(['proposal', 'approve', ...gate]);
		expect(await ask(['status'])).toMatchObject({inbox: []});
		expect((await hive(['run', '--until-idle'])).exitCode).toBe(0);
	});

	test('from a session opens a review when the session ends, named by its first words', async () => {
		const proposing = {...talkerProgram, worktree: true, publishes: publishesIsolated};
		const {run, ask, hive, git} = await createSessionScene({bees: {talker: proposing}});
		const terminal = run(['bee', 'chat', 'talker', 'Fix the flaky upload test', ...onTrace]);
		await terminal.until(screen => screen.includes('talker of ['));
		await typeAndWait(terminal, 'write new.txt', 'wrote new.txt');
		expect(await ask(['proposal', 'list'])).toMatchObject({proposals: []});
		terminal.type('exit 0\r');
		await terminal.until(isOver);
		expect((await hive(['run', '--until-idle'])).exitCode).toBe(8);
		expect(await ask(['status'])).toMatchObject({traces: [{title: 'Fix the flaky upload test'}]});
		await ask(['proposal', 'approve', ...gate]);
		expect(await git(['log', '-1', '--format=%s'])).toContain('Fix the flaky upload test');
		expect(await git(['ls-files', 'new.txt'])).toContain('new.txt');
	});

	test("from a bee started by a signal has the guard's verdict, and its rejection names the way to rework", async () => {
		const verdict = '{"type":"VERIFICATION","payload":{"kind":"verification.success","summary":"good"}}';
		const {ask, hive} = await createColony({
			bees: {
				fixer: {
					worktree: true,
					publishes: publishesIsolated,
					subscribes: [{type: 'SIGNAL', kind: 'ticket.opened', dispatch: 'direct'}],
					script: 'echo "$(cat fix.txt 2>/dev/null)fixed" >fix.txt',
				},
				guard: {
					worktree: true,
					publishes: [{type: 'VERIFICATION', kind: 'verification.success'}],
					subscribes: [{type: 'MUTATION', kind: 'code.proposal.isolated', dispatch: 'direct'}],
					script: `echo '${verdict}' | "$HIVE" event emit --stdin`,
				},
			},
		});
		const signal = {traceId: 't', type: 'SIGNAL', payload: {kind: 'ticket.opened', title: 'Uploads'}};
		await ask(['event', 'emit', '--stdin'], {input: JSON.stringify(signal)});
		expect((await hive(['run', '--until-idle'])).exitCode).toBe(8);
		const {proposals} = await ask<Proposals>(['proposal', 'list']);
		expect(proposals).toMatchObject([{taskId: '_review', judgement: {passed: [expect.any(String)]}}]);
		const refused = await hive(['proposal', 'reject', ...gate, '--feedback', 'Once more']);
		expect([refused.exitCode, refused.stderr]).toEqual([
			4,
			expect.stringContaining('hive bee run fixer --trace t --body'),
		]);
		await ask(['bee', 'run', 'fixer', ...onTrace, '--body', 'Once more']);
		expect((await hive(['run', '--until-idle'])).exitCode).toBe(8);
		expect(await ask(['proposal', 'approve', ...gate])).toMatchObject({base: 'main'});
	});

	test('is not assumed if only a person changed the worktree', async () => {
		const {ask, hive, write} = await createColony({bees: {builder}, files});
		await ask(['bee', 'run', 'builder', ...onTrace, '--body', 'true']);
		await write('.hive/worktrees/t/by-hand.txt', 'x');
		expect((await hive(['run', '--until-idle'])).exitCode).toBe(0);
		expect(await ask(['task', 'list', ...onTrace])).toMatchObject({tasks: []});
	});
});
