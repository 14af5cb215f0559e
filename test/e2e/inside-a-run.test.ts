import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {builder, createColony, linesOf} from '../helpers/colony-on-disk.ts';

const create = (...more: string[]) => ['task', 'create', '--trace', 't', '--task', 'a', '-b', 'x', ...more];

describe('an agent inside a run', () => {
	it('publishes events as its run from any folder, and gets errors in the answer', async () => {
		const colony = await createColony({
			bees: {
				builder: {
					...builder,
					publishes: [{type: 'MUTATION', kind: 'code.proposal.isolated'}],
					script: `
						say() { emit '{"type":"INSIGHT","payload":{"kind":"context.note","summary":"'"$1"'"}}' >>answers; }
						say 'from the worktree'
						mkdir -p deep/down; cd deep/down; say 'from a folder'; cd ../..
						cd "$HIVE_COLONY_ROOT"; say 'from the root'; cd "$HIVE_WORKSPACE"
						cd /; hive event emit --stdin -C "$HIVE_WORKSPACE" >"$HIVE_WORKSPACE/wrong" <<-'END'
						{"type":"INSIGHT","payload":{"kind":"trace.title"}}
						END
						echo "$?" >>"$HIVE_WORKSPACE/wrong"
						env | grep ^HIVE_ | sort >"$HIVE_WORKSPACE/env"
						command -v hive >>"$HIVE_WORKSPACE/env"`,
				},
			},
		});
		await colony.ask(create());
		expect((await colony.hive(['run', '--until-idle'])).exitCode).toBe(8);
		const events = await colony.replay('t');
		const said = events.filter(({payload}) => payload.kind === 'context.note');
		const agentId = said[0]?.agentId ?? '';
		expect(said).toMatchObject(
			['from the worktree', 'from a folder', 'from the root'].map(summary => ({
				agentId,
				payload: {summary},
			})),
		);
		const worktree = join(colony.root, '.hive/worktrees/t');
		const runDir = join(colony.root, '.hive/runs/t', agentId);
		const answers = ['answers', 'deep/down/answers'].map(path => colony.read(`.hive/worktrees/t/${path}`));
		expect(linesOf((await Promise.all(answers)).join('')).map(line => JSON.parse(line))).toMatchObject(
			said.slice(0, 2).map(({id, sequence}) => ({
				ok: true,
				traceId: 't',
				kind: 'context.note',
				id,
				sequence,
				eventLogPath: join(runDir, 'events.ndjson'),
				warnings: [],
			})),
		);
		const log = linesOf(await colony.read(`.hive/runs/t/${agentId}/events.ndjson`));
		const published = log.map(line => JSON.parse(line));
		expect(published.filter(({payload}) => payload.kind === 'context.note')).toMatchObject(
			said.map(({sequence, payload}) => ({
				protocolVersion: 'agent-runtime.v1',
				traceId: 't',
				agentId,
				seq: sequence,
				type: 'INSIGHT',
				payload,
			})),
		);
		const [wrong = '', code] = linesOf(await colony.read('.hive/worktrees/t/wrong'));
		expect(JSON.parse(wrong)).toMatchObject({
			ok: false,
			details: [{path: 'payload.title', message: 'required'}],
		});
		expect(code).toBe('5');

		const env = linesOf(await colony.read('.hive/worktrees/t/env'));
		expect(env.pop()).toMatch(/\/bin\/hive$/);
		expect(Object.fromEntries(env.map(line => line.split('=')))).toEqual({
			HIVE_TRACE_ID: 't',
			HIVE_AGENT_ID: agentId,
			HIVE_TASK_ID: 'a',
			HIVE_BEE: 'builder',
			HIVE_WORKSPACE: worktree,
			HIVE_PORT: expect.stringMatching(/^2\d{3}0$/),
			HIVE_COLONY_ROOT: colony.root,
			HIVE_RUN_DIR: runDir,
			HIVE_EVENT_LOG: join(runDir, 'events.ndjson'),
			HIVE_RESULT_FILE: join(runDir, 'summary.md'),
			HIVE_PROMPT_FILE: join(runDir, 'prompt.txt'),
			...(colony.env.HIVE_BUS_URL && {HIVE_BUS_URL: colony.env.HIVE_BUS_URL}),
		});
	});

	it('cannot emit as a person, nor give a verdict that its bee does not declare', async () => {
		const events = [
			['SIGNAL', {kind: 'energy.add', amount: 9}],
			['SIGNAL', {kind: 'energy.consume', amount: 1, reason: 'x'}],
			['SIGNAL', {kind: 'system.kill'}],
			['SIGNAL', {kind: 'task.status', taskId: 'a', status: 'cancelled'}],
			['INSIGHT', {kind: 'human.feedback', taskId: 'a', message: 'x'}],
			['VERIFICATION', {kind: 'task.completed', taskId: 'a', status: 'completed'}],
			['VERIFICATION', {kind: 'verification.success', summary: 'x'}],
		] as const;
		const commands = [
			'energy add --trace t --amount 9',
			'kill --trace t',
			'task create -b more',
			'task retry --trace t --task a',
			'proposal approve --trace t --task a',
			'bee run -b x builder',
		];
		const colony = await createColony({
			bees: {
				builder: {
					script: [
						...events.map(([type, payload]) => `emit '${JSON.stringify({type, payload})}'; echo "code $?"`),
						...commands.map(line => `hive ${line} --json; echo "code $?"`),
						'echo over >&2',
					].join('\n'),
				},
			},
		});
		await colony.ask(create());
		expect((await colony.hive(['run', '--until-idle'])).exitCode).toBe(0);
		const {runs} = await colony.ask<{runs: {agentId: string}[]}>(['status']).then(status => {
			const {traces} = status as {traces?: {runs: {agentId: string}[]}[]};
			return traces?.[0] ?? {runs: []};
		});
		const out = linesOf(await colony.read(`.hive/runs/t/${runs[0]?.agentId}/stdout.log`));
		expect(out.filter(line => line.startsWith('code'))).toEqual([...events, ...commands].map(() => 'code 4'));
		const answers = out.filter(line => line.startsWith('{')).map(line => JSON.parse(line));
		expect(answers.slice(0, events.length).map(({error}) => error)).toEqual(
			events.map(() => 'not_for_agents'),
		);
		expect(answers.slice(events.length).map(({error}) => error.code)).toEqual(
			commands.map(() => 'not_for_agents'),
		);
		const agents = (await colony.replay('t')).filter(({agentId}) => agentId === runs[0]?.agentId);
		expect(agents.map(({payload}) => payload.kind)).toEqual(['run.summary']);
		const shown = (await colony.replay('t')).filter(({payload}) => payload.kind === 'action.refused');
		expect(shown.map(({payload}) => payload.message)).toEqual([
			...events.map(([, {kind}]) => expect.stringContaining(kind)),
			...commands.map(line => expect.stringContaining(`hive ${line.split(' -')[0]}: Run `)),
		]);
	});

	it('gives a verdict on a proposal if its bee declares it, and the task waits for that verdict', async () => {
		const verdict = (type: string, kind: string) => ({type, kind});
		const colony = await createColony({
			bees: {
				builder,
				guard: {
					worktree: true,
					subscribes: [{type: 'MUTATION', kind: 'code.proposal.isolated', dispatch: 'direct'}],
					publishes: [
						verdict('VERIFICATION', 'verification.success'),
						verdict('VERIFICATION', 'task.completed'),
					],
					script: `
						note "sees $(cat a.txt)"
						wait_for go
						emit '{"type":"VERIFICATION","payload":{"kind":"verification.success","summary":"Fine"}}'
						emit '{"type":"VERIFICATION","payload":{"kind":"task.completed","taskId":"a","status":"completed","summary":"Guarded"}}'`,
				},
			},
		});
		await colony.ask(create());
		const reactor = colony.follow(['run', '--until-idle']);
		const notes = await colony.notes(3);
		expect(notes.at(-1)).toBe('sees made by a');
		await reactor.event({kind: 'task.status', taskId: 'a', status: 'waiting_review'});
		expect((await colony.hive(['proposal', 'list'])).stdout).toBe('Nothing waits for a review.\n');
		await colony.open('go');
		const proposal = await reactor.event({kind: 'code.proposal.isolated'});
		expect(await reactor.event({kind: 'verification.success'})).toMatchObject({
			payload: {taskId: 'a', proposal: proposal.sequence},
		});
		expect((await reactor.ended).exitCode).toBe(8);
		expect(await colony.ask(['task', 'list', '--trace', 't'])).toMatchObject({
			tasks: [
				{taskId: 'a', status: 'completed', summary: 'Guarded'},
				{taskId: '_review', status: 'waiting_review'},
			],
		});
	});
});

describe('an agent with a cleared environment', () => {
	const bare = 'env -i HOME="$HOME" PATH="$PATH" HIVE_BUS_URL="$HIVE_BUS_URL"';
	const note = '{"type":"INSIGHT","payload":{"kind":"context.note","summary":"bare"}}';
	const foreign = '{"traceId":"new","type":"SIGNAL","payload":{"kind":"feature.requested"}}';

	it('is refused decisions, and emits as its run', async () => {
		const colony = await createColony({
			bees: {
				builder: {
					...builder,
					script: `
						at="-C $HIVE_COLONY_ROOT"
						${bare} hive $at energy add --trace t --amount 50 >>tried 2>&1; echo $? >>exits
						setsid ${bare} hive $at console token >>tried 2>&1; echo $? >>exits
						${bare} hive $at init >>tried 2>&1; echo $? >>exits
						${bare} HIVE_AGENT_ID=other HIVE_TRACE_ID=t hive $at kill --trace t >>tried 2>&1; echo $? >>exits
						cd "$HIVE_COLONY_ROOT"
						echo '${note}' | ${bare} hive event emit --stdin >>"$HIVE_WORKSPACE/tried"
						echo '${note}' | ${bare} hive event emit >>"$HIVE_WORKSPACE/tried"
						echo '${foreign}' | ${bare} hive event emit --stdin >>"$HIVE_WORKSPACE/tried"; echo $? >>"$HIVE_WORKSPACE/exits"`,
				},
			},
		});
		await colony.ask(create());
		expect((await colony.hive(['run', '--until-idle'])).exitCode).toBe(8);
		const worktree = '.hive/worktrees/t';
		expect(linesOf(await colony.read(`${worktree}/exits`))).toEqual(['4', '4', '4', '4', '5']);
		const events = await colony.replay('t');
		const agentId = events.find(({payload}) => payload.kind === 'energy.consume')?.payload.agentId;
		expect(events.filter(({payload}) => payload.kind === 'context.note')).toMatchObject([
			{agentId},
			{agentId},
		]);
		expect(events.filter(({payload}) => payload.kind === 'energy.add')).toEqual([]);
		expect(await colony.read(`${worktree}/tried`)).toContain(`Run ${agentId} may not do this`);
	});
});
