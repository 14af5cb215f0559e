import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {commandGroups} from '../../source/cli/commands.ts';
import {builder, createColony, type Line, linesOf, readJson} from '../helpers/colony-on-disk.ts';
import {once, rows} from './rows.ts';

const alphaTool = join(import.meta.dirname, '../../fixtures/agents/alpha/alpha.mjs');
const note = (text: string): string =>
	JSON.stringify({type: 'INSIGHT', payload: {kind: 'context.note', summary: text}});

const bees = {
	builder: {...builder, script: 'yes "one line of many" | head -c 1500000 >large.txt; echo Large'},
	scout: {
		...{prompt_template: 'do.md', intents: ['general', 'survey']},
		script: `defer() { printf '%s' "$1" | hive event emit --stdin --defer >/dev/null; }
			defer '${note('flushed')}'; hive event flush >/dev/null; defer '${note('discarded')}'; hive event flush --discard >/dev/null
			printf '%s|%s' "$HIVE_BEE" "$(cat "$HIVE_PROMPT_FILE")"`,
	},
	waiter: {script: 'wait_for never'},
};

const scene = {
	bees,
	files: {
		'.hive/prompts/do.md': '{{.Task}} {{.Intent}}',
		'.hive/cues/feature.yaml': 'emit: signal\ntype: SIGNAL\nkind: feature.requested\ntitle: "{{.Title}}"\n',
		'.hive/bees/talker.yaml': JSON.stringify({
			...{adapter: 'alpha', params: {binary: alphaTool, model: 'feature'}, prompt_template: 'do.md'},
		}),
	},
};

const task = (taskId: string, traceId = 't') => ['--trace', traceId, '--task', taskId] as const;

type Tasks = {readonly tasks: readonly {readonly taskId: string; readonly status: string}[]};

const payloadsOf = (events: readonly Line[], kind: string) =>
	events.map(({payload}) => payload).filter(payload => payload.kind === kind);

const used = once(async () => {
	const colony = await createColony(scene);
	const {ask, hive, replay} = colony;
	const emit = async (event: object, args: readonly string[] = [], env = {}) => {
		const answer = await hive(['event', 'emit', '--stdin', ...args], {env, input: JSON.stringify(event)});
		return {exit: answer.exitCode, said: JSON.parse(answer.stdout)};
	};
	const cued = await ask<{traceId: string}>(['cue', 'run', 'feature', 'Hello there']);
	const created = await ask<{traceId: string}>(['task', 'create', '-b', 'Do it']);
	await ask(['task', 'create', ...task('one'), '-b', 'One']);
	const second = await ask(['task', 'create', ...task('two'), '-b', 'Two']);
	await ask(['task', 'start', ...task('two')]);
	const third = await ask(['task', 'create', ...task('three'), '-b', 'Three', '--autorun']);
	const queue = await ask<Tasks>(['task', 'list', '--trace', 't']);
	const published = await emit({
		traceId: 't',
		type: 'INSIGHT',
		payload: {kind: 'trace.title', title: 'Named'},
	});
	const refused = await emit({traceId: 't', type: 'INSIGHT', payload: {kind: 'trace.title'}});
	const invite = {kind: 'session.invite', inviteId: 'i', bee: 'scout', task: 'talk', status: 'pending'};
	const inRun = {HIVE_TRACE_ID: 't', HIVE_AGENT_ID: 'none'};
	const liveOnly = await emit({type: 'SIGNAL', payload: invite}, ['--defer'], inRun);
	const kinds = (await replay('t')).map(({payload}) => payload.kind);

	const alone = await ask<{agentId: string}>([
		'bee',
		'run',
		'scout',
		'-b',
		'Look',
		'--intent',
		'survey',
		'--trace',
		'alone',
	]);
	const notes = payloadsOf(await replay('alone'), 'context.note').map(({summary}) => summary);
	const audited = await colony.read(`.hive/runs/alone/${alone.agentId}/events.ndjson`);
	const talk = await ask<{agentId: string}>(['bee', 'run', 'talker', '-b', 'Talk', '--trace', 'talk']);

	await ask(['task', 'create', ...task('a', 'large'), '-b', 'x']);
	await hive(['run', '--until-idle', '--trace', 'large']);
	const preview = await ask<{patch: string; stat: string; truncated: boolean}>([
		'proposal',
		'diff',
		'--trace',
		'large',
	]);

	await ask(['task', 'create', ...task('hangs', 'killed'), '-b', 'x', '--bee', 'waiter', '--autorun']);
	await ask(['task', 'create', ...task('next', 'killed'), '-b', 'x', '--depends-on', 'hangs']);
	const reactor = colony.follow(['run', '--trace', 'killed']);
	await reactor.event({kind: 'task.status', taskId: 'hangs', status: 'running'});
	await ask(['kill', '--trace', 'killed', '--reason', 'enough']);
	await reactor.event({kind: 'run.finished', taskId: 'hangs'});
	const status = await ask<{traces: (Tasks & {traceId: string; killed: boolean})[]}>(['status']);

	const nuc = join(colony.home, 'nuc.yaml');
	const exported = await ask(['nuc', 'export', '--cues', 'feature', '--out', nuc]);
	await colony.remove('.hive/cues/feature.yaml');
	const without = await ask(['cue', 'list']);
	const imported = await ask(['nuc', 'import', nuc]);
	const [cueEvents, killedEvents, usage, usageOfRun, honey, cues, doctor, topology] = await Promise.all([
		replay(cued.traceId),
		replay('killed'),
		ask(['inspect', 'usage', '--trace', 'talk']),
		ask(['inspect', 'usage', '--trace', 'talk', '--agent', talk.agentId]),
		ask(['energy', 'show', '--trace', 'large']),
		ask(['cue', 'list']),
		ask(['doctor']),
		hive(['colony', 'topology']),
	]);
	return {
		...{cued, created, second, third, queue, published, refused, liveOnly, kinds, alone, notes, audited},
		...{preview, exported, without, imported, cueEvents, usage, usageOfRun, honey, cues, doctor},
		kill: payloadsOf(killedEvents, 'system.kill'),
		killedRun: payloadsOf(killedEvents, 'run.finished'),
		killed: status.traces.find(({traceId}) => traceId === 'killed'),
		talkResult: await readJson(join(colony.root, `.hive/runs/talk/${talk.agentId}/result.json`)),
		gitignore: await colony.read('.hive/.gitignore'),
		colonyFile: await colony.read('.hive/colony.yaml'),
		topology: topology.stdout,
	};
});

/** The commands in the table of the spec. */
const commands = [
	...['init', 'run', 'kill', 'energy add', 'task create', 'task start', 'task retry', 'proposal approve'],
	...[
		'proposal reject',
		'event emit',
		'event pending',
		'event flush',
		'bee run',
		'bee chat',
		'inspect usage',
	],
	...['cue list', 'cue run', 'doctor', 'console', 'colony topology', 'gate chat', 'nuc export', 'nuc import'],
];

const counts = {inputTokens: 1200, outputTokens: 85, cacheReadTokens: 900, cacheWriteTokens: 0};

describe('CLI commands', () => {
	it('every command of the spec exists', () => {
		const known = commandGroups.flatMap(group => Object.keys(group.commands));
		expect(commands.filter(command => !known.includes(command))).toEqual([]);
	});

	rows(used, {
		'hive init: creates .hive/ and keeps the slug of an existing colony': ({colonyFile, gitignore}) => {
			expect(colonyFile).toContain('scratch');
			expect(linesOf(gitignore)).toEqual(['worktrees/', 'runs/', '*.local.yaml', 'cache/']);
		},
		'hive kill: publishes system.kill with its reason': ({kill}) =>
			expect(kill).toMatchObject([{reason: 'enough'}]),
		'hive task create: publishes task.plan; the second in the queue stays planned': ({second, kinds}) => {
			expect(kinds[0]).toBe('task.plan');
			expect(second).toMatchObject({ready: []});
		},
		'hive task create --autorun: publishes task.ready as well': ({third}) =>
			expect(third).toMatchObject({ready: ['three']}),
		'hive task start: starts the named task': ({queue}) =>
			expect(queue.tasks).toContainEqual(expect.objectContaining({taskId: 'two', status: 'ready'})),
		'hive event emit: validates and publishes one event': ({published}) =>
			expect(published).toEqual({
				exit: 0,
				said: expect.objectContaining({ok: true, kind: 'trace.title', sequence: expect.any(Number)}),
			}),
		'hive event flush: publishes deferred events, --discard drops them': ({notes, audited}) => {
			expect(notes).toEqual(['flushed']);
			expect(audited).toContain('"flushed"');
		},
		'hive bee run: starts one autonomous run with the text as its prompt': ({alone}) =>
			expect(alone).toMatchObject({status: 'completed', summary: expect.stringMatching(/^scout\|Look /)}),
		'hive bee run --intent: sets the intent of the run': ({alone}) =>
			expect(alone).toMatchObject({summary: 'scout|Look survey'}),
		'hive inspect usage: sums the usage of all runs that report it': ({usage}) =>
			expect(usage).toMatchObject({usage: counts}),
		'hive inspect usage --agent: reports the usage of one run': ({usageOfRun}) =>
			expect(usageOfRun).toMatchObject({usage: counts}),
		'hive cue list: lists the cues of the colony': ({cues}) =>
			expect(cues).toMatchObject({cues: [{id: 'feature'}]}),
		'hive cue run: publishes the signal in a new trace': ({cueEvents}) =>
			expect(cueEvents[0]?.payload).toMatchObject({kind: 'feature.requested', title: 'Hello there'}),
		'hive doctor: checks the subscriptions and publications of the bees': ({doctor}) =>
			expect(doctor).toMatchObject({checks: expect.any(Array), findings: expect.any(Array)}),
		'hive colony topology: prints the events between bees': ({topology}) =>
			expect(topology).toContain('builder'),
		'hive nuc export: exports the cues that match a filter': ({exported}) =>
			expect(exported).toMatchObject({cues: ['feature']}),
		'hive nuc import: restores missing files': ({without, imported, cues}) => {
			expect(without).toMatchObject({cues: []});
			expect(imported).toMatchObject({files: [{path: '.hive/cues/feature.yaml', does: 'create'}]});
			expect(cues).toMatchObject({cues: [{id: 'feature'}]});
		},
	});
});

describe('Identifiers', () => {
	rows(used, {
		'traceId: is generated if none is given': ({created}) =>
			expect(created.traceId).toMatch(/^trace-[0-9a-f]{16}$/),
	});
});

describe('Trace snapshot', () => {
	rows(used, {
		'killed: is set by system.kill': ({killed}) => expect(killed).toMatchObject({killed: true}),
	});
});

describe('Run directory layout', () => {
	rows(used, {
		'result.json: has the usage that an adapter reports, and its source': ({talkResult}) =>
			expect(talkResult).toMatchObject({usage: {...counts, source: 'cursor.stream-json'}}),
	});
});

describe('States and transitions', () => {
	rows(used, {
		'any unfinished status → cancelled: a kill cancels the task': ({killed}) =>
			expect(killed?.tasks.map(({status}) => status)).toEqual(['cancelled', 'cancelled']),
		'any unfinished status → cancelled: a kill ends running processes': ({killedRun}) =>
			expect(killedRun).toMatchObject([{taskId: 'hangs', status: 'cancelled'}]),
	});
});

describe('Errors', () => {
	rows(used, {
		'an event that fails validation: is refused with every problem and not published': ({refused, kinds}) => {
			expect(refused).toMatchObject({exit: 5, said: {details: [{path: 'payload.title'}]}});
			expect(kinds.filter(kind => kind === 'trace.title')).toHaveLength(1);
		},
		'--defer with a live-only kind: is refused as not deferrable': ({liveOnly, kinds}) => {
			expect(liveOnly).toMatchObject({exit: 5, said: {ok: false, error: 'defer_denied'}});
			expect(kinds).not.toContain('session.invite');
		},
	});
});

describe('Limits', () => {
	rows(used, {
		'Default honey reserve: is 12, and each adapter dispatch consumes 1': ({honey}) =>
			expect(honey).toMatchObject({energyBudget: 12, energyRemaining: 11}),
		'Merge preview size: is truncated at 1 MiB, with its stat': ({preview}) => {
			expect(preview.truncated).toBe(true);
			expect(Buffer.byteLength(preview.patch)).toBeLessThanOrEqual(1024 * 1024);
			expect(preview.stat).toContain('large.txt');
		},
		'Auto trace id length: is "trace-" plus 16 hex characters': ({cued}) =>
			expect(cued.traceId).toMatch(/^trace-[0-9a-f]{16}$/),
	});
});
