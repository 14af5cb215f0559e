import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {validateInTrace} from '../../source/colony/validate-in-trace.ts';
import {
	builder,
	type ColonyOnDisk,
	createColony,
	type Line,
	linesOf,
	readJson,
} from '../helpers/colony-on-disk.ts';
import {item, planOf, reduceAll, taskOf} from '../helpers/events.ts';
import {colonyOf, builder as pureBuilder} from '../reactor/scene.ts';
import {once, rows, time} from './rows.ts';

/*
 * One feature, from its cue to its merge, by the built command. Session files of the spec have no row here:
 * `session.json`, `transcript.ndjson`, `terminal.yaml`.
 */

const emitted = (type: string, payload: object): string => `emit '${JSON.stringify({type, payload})}'`;
const note = JSON.stringify({type: 'INSIGHT', payload: {kind: 'context.note', summary: 'later'}});
const root = {type: 'MUTATION', kind: 'code.proposal.root'};
const isolated = {type: 'MUTATION', kind: 'code.proposal.isolated'};

const plan = [
	{taskId: 'look', title: 'Look around', body: 'All of it.', bee: 'scout', dependsOn: []},
	{
		...{taskId: 'build', title: 'Build', body: 'The thing.', sector: 'web', intent: ' Feature '},
		...{review: 'required', dependsOn: ['look']},
	},
	{taskId: 'lay', title: 'Lay', body: 'Bricks.', bee: 'mason', dependsOn: ['look']},
	{taskId: 'quiet', title: 'Quiet', bee: 'quiet', dependsOn: ['look']},
	{taskId: 'crossed', title: 'Crossed', bee: 'crossed', dependsOn: ['look']},
];

const intents = ['general', 'feature'];

const bees = {
	planner: {
		subscribes: [{type: 'SIGNAL', kind: 'feature.requested', dispatch: 'direct'}],
		script: emitted('INSIGHT', {kind: 'task.plan', tasks: plan}),
	},
	scout: {script: 'pwd; echo 3 files >&2'},
	builder: {
		...{...builder, intents, prompt_template: 'do.md'},
		script: `pwd >where.txt; printf '%s' '${note}' | hive event emit --stdin --defer >answer.txt; hive event pending --json >pending.txt; echo Built`,
	},
	mason: {
		...{publishes: [root], intents, prompt_template: 'do.md', system_template: 'system.md'},
		script: 'echo brick >brick.txt; echo dirty >>dirty.txt; echo Laid',
	},
	quiet: {worktree: true, script: 'echo q >q.txt; echo "Old words" >"$HIVE_RUN_DIR/result.txt"; echo Hush'},
	crossed: {worktree: true, publishes: [root], script: 'echo c >c.txt; echo Crossed'},
	guard: {worktree: true, subscribes: [{...isolated, dispatch: 'direct'}], script: 'pwd'},
	'root-guard': {subscribes: [{...root, dispatch: 'direct'}], script: 'pwd'},
};

const scene = {
	bees,
	settings: {sectors: {web: 'web'}},
	files: {
		'web/page.txt': 'A page.\n',
		'.hive/prompts/do.md':
			'{{.TaskID}}|{{.Task}}|{{.Intent}}|{{.TraceTitle}}|{{.IsLastWorkTask}}|{{.ResultFile}}',
		'.hive/prompts/system.md': 'You are {{.Bee}}.',
		'.hive/cues/feature.yaml':
			'emit: signal\ntype: SIGNAL\nkind: feature.requested\ntitle: "{{.Title}}"\nenergy_budget: 15\n',
	},
};

type Task = {readonly taskId: string; readonly [field: string]: unknown};

const task = (taskId: string) => ['--trace', 't', '--task', taskId] as const;

/** Reads the snapshot of the trace, with its tasks by id. */
const lookAt = async (colony: ColonyOnDisk) => {
	const {traces} = await colony.ask<{traces: {tasks: Task[]; [field: string]: unknown}[]}>(['status']);
	const [trace] = traces;
	return {...trace, tasks: Object.fromEntries((trace?.tasks ?? []).map(one => [one.taskId, one]))};
};

const payloadsOf = (events: readonly Line[], kind: string) =>
	events.map(({payload}) => payload).filter(payload => payload.kind === kind);

/** Returns the facts once every bee has finished and the work waits for a person. */
const workedOn = async (colony: ColonyOnDisk) => {
	await colony.write('dirty.txt', 'before\n');
	await colony.ask(['cue', 'run', 'feature', 'Add priorities', '--trace', 't']);
	const asked = await colony.replay('t');
	const {exitCode} = await colony.hive(['run', '--until-idle']);
	const events = await colony.replay('t');
	const trace = await lookAt(colony);
	const finished = (field: string, value: string) => {
		const found = payloadsOf(events, 'run.finished').find(payload => payload[field] === value);
		return String(found?.agentId);
	};
	const built = finished('taskId', 'build');
	const read = (taskId: string, name: string) =>
		colony.read(`.hive/runs/t/${finished('taskId', taskId)}/${name}`);
	const json = (taskId: string, name: string) =>
		readJson(join(colony.root, '.hive/runs/t', finished('taskId', taskId), name));
	const saidBy = (role: string) =>
		payloadsOf(events, 'run.finished').find(({bee}) => bee === role)?.summary ??
		events.find(({agentId, payload}) => agentId === finished('bee', role) && payload.kind === 'run.summary')
			?.payload.summary;
	return {
		...{asked, exitCode, events, built, guarded: saidBy('guard'), rootGuarded: saidBy('root-guard')},
		...{trace, tasks: trace.tasks},
		prompts: {build: await read('build', 'prompt.txt'), lay: await read('lay', 'prompt.txt')},
		system: await read('lay', 'system.txt'),
		summary: await read('build', 'summary.md'),
		meta: await json('build', 'meta.json'),
		statusFile: await json('build', 'status.json'),
		result: await json('build', 'result.json'),
		audited: linesOf(await read('build', 'events.ndjson')).map(line => JSON.parse(line).payload.kind),
		crossed: await json('crossed', 'status.json'),
		runsInWorktree: await colony.exists('.hive/worktrees/t/.hive/runs'),
		taskFile: await colony.read('.hive/runs/t/tasks/lay/task.md'),
		taskRuns: linesOf(await colony.read('.hive/runs/t/tasks/build/runs.ndjson')).map(line =>
			JSON.parse(line),
		),
		where: await colony.read('.hive/worktrees/t/web/where.txt'),
		deferred: JSON.parse(await colony.read('.hive/worktrees/t/web/answer.txt')),
		pending: await colony.read('.hive/worktrees/t/web/pending.txt'),
		rootDiff: (await colony.ask<{patch: string}>(['proposal', 'diff', ...task('lay')])).patch,
	};
};

/** Returns the facts after the decisions of a person. */
const decidedOn = async (colony: ColonyOnDisk) => {
	await colony.ask(['proposal', 'reject', ...task('build'), '--feedback', 'Shorter']);
	const rejected = (await lookAt(colony)).tasks.build?.status;
	await colony.hive(['run', '--until-idle']);
	const softly = await colony.ask(['proposal', 'approve', ...task('build')]);
	const head = await colony.git(['rev-parse', 'HEAD']);
	await colony.hive(['run', '--until-idle']);
	const gate = (await lookAt(colony)).tasks._review;
	const preview = await colony.ask<{patch: string; stat: string}>(['proposal', 'diff', '--trace', 't']);
	const merged = await colony.ask<{commit: string}>(['proposal', 'approve', ...task('_review')]);
	const later = await colony.replay('t');
	return {
		...{rejected, softly, head, gate, preview, merged, later},
		feedback: payloadsOf(later, 'human.feedback'),
		isMerged: await colony.exists('web/where.txt'),
		commits: [await colony.git(['rev-parse', 'HEAD']), await colony.git(['rev-parse', 'HEAD^'])],
		unsaved: [await colony.read('dirty.txt'), await colony.read('brick.txt')],
		completedGate: (await lookAt(colony)).tasks._review,
	};
};

const feature = once(async () => {
	const colony = await createColony(scene);
	const worked = await workedOn(colony);
	const decided = await decidedOn(colony);
	const worktree = join(colony.root, '.hive/worktrees/t');
	const runDir = join(colony.root, '.hive/runs/t', worked.built);
	return {...worked, ...decided, root: colony.root, worktree, runDir};
});

const proposals = (events: readonly Line[]): string[] =>
	events.flatMap(({payload}) =>
		payload.kind.startsWith('code.proposal') ? [`${payload.kind} ${payload.taskId}`] : [],
	);

describe('Identifiers', () => {
	it('taskId: identifies a task within its trace, and the same id in another trace is another task', () => {
		const [first, second] = [reduceAll(planOf(item('a'))), reduceAll(planOf({...item('a'), title: 'Other'}))];
		expect(taskOf(second, 'a').title).not.toBe(taskOf(first, 'a').title);
	});
});

describe('Task plan item', () => {
	it('taskId: is unique within the trace', () => {
		const twice = validateInTrace(colonyOf([pureBuilder]), reduceAll(), planOf(item('a'), item('a')));
		expect(twice).toMatchObject({ok: false, refusal: {details: [{path: 'payload.tasks.1.taskId'}]}});
	});

	rows(feature, {
		'title: becomes the title of the task': ({tasks}) => expect(tasks.lay?.title).toBe('Lay'),
		'body: becomes the task body': ({tasks, prompts}) => {
			expect(tasks.build?.body).toBe('The thing.');
			expect(prompts.build).toContain('|The thing.|');
		},
		'bee: names the role that runs the task': ({tasks, events}) => {
			expect(tasks.lay?.bee).toBe('mason');
			expect(payloadsOf(events, 'run.finished')).toContainEqual(
				expect.objectContaining({taskId: 'lay', bee: 'mason'}),
			);
		},
		'bee: is the default bee of the colony if it is empty': ({events}) =>
			expect(payloadsOf(events, 'run.finished')).toContainEqual(
				expect.objectContaining({taskId: 'build', bee: 'builder'}),
			),
		'sector: is the subfolder that the adapter works in': ({where, worktree}) =>
			expect(where).toBe(`${worktree}/web\n`),
		'sector: defaults to the sector of the bee, or to the root': ({tasks, root: here}) =>
			expect(tasks.look?.summary).toBe(here),
		'intent: is normalized in the rendered prompt': ({prompts}) =>
			expect(prompts.build.split('|')[2]).toBe('feature'),
		'intent: defaults to "general"': ({prompts}) => expect(prompts.lay.split('|')[2]).toBe('general'),
		'review: is the review policy of the task': ({tasks}) =>
			expect([tasks.build?.review, tasks.lay?.review]).toEqual(['required', 'none']),
		'dependsOn: names tasks that are completed first': ({tasks, events}) => {
			expect(tasks.build?.dependsOn).toEqual(['look']);
			const claimed = payloadsOf(events, 'energy.consume').map(({taskId}) => taskId);
			expect(claimed.indexOf('look')).toBeLessThan(claimed.indexOf('build'));
		},
	});
});

describe('Task snapshot', () => {
	rows(feature, {
		'task snapshot: has every field of the spec': ({tasks}) =>
			expect(tasks.lay).toMatchObject({
				...{taskId: 'lay', title: 'Lay', body: 'Bricks.', bee: 'mason', status: 'completed'},
				...{dependsOn: ['look'], summary: 'Laid', commit: '', proposalWorkspace: 'root'},
				updatedAt: expect.stringMatching(time),
			}),
	});
});

describe('Trace snapshot', () => {
	rows(feature, {
		'energyBudget: comes from the cue on a fresh trace': ({trace}) =>
			expect(trace).toMatchObject({energyBudget: 15}),
		'energyRemaining: falls by 1 for each adapter dispatch': ({trace, events}) => {
			expect(payloadsOf(events, 'energy.consume').map(({amount}) => amount)).toEqual(Array(8).fill(1));
			expect(trace).toMatchObject({energyRemaining: 7});
		},
		'killed: is not set without a kill': ({trace}) => expect(trace).toMatchObject({killed: false}),
		'tasks: holds the task snapshots': ({tasks}) =>
			expect(Object.keys(tasks)).toEqual(plan.map(({taskId}) => taskId)),
	});
});

describe('Run directory layout', () => {
	rows(feature, {
		'prompt.txt: holds the rendered prompt template': ({prompts, runDir}) =>
			expect(prompts.build).toBe(`build|The thing.|feature|Add priorities|false|${runDir}/summary.md`),
		'system.txt: holds the rendered system template': ({system}) => expect(system).toBe('You are mason.'),
		'summary.md: is a readable log of the run': ({summary}) => expect(summary).toBe('Built\n'),
		'summary.md: falls back to the legacy result.txt': ({tasks}) =>
			expect(tasks.quiet?.summary).toBe('Old words'),
		'meta.json: has bee, adapter, workspace and startedAt': ({meta, worktree}) =>
			expect(meta).toMatchObject({
				...{bee: 'builder', adapter: 'script', workspace: `${worktree}/web`},
				startedAt: expect.stringMatching(time),
			}),
		'status.json: has the status completed or failed, exitCode and finishedAt': ({statusFile}) =>
			expect(statusFile).toMatchObject({
				...{state: 'completed', exitCode: 0, finishedAt: expect.stringMatching(time)},
			}),
		'result.json: holds the adapter result': ({result}) => {
			expect(result).toMatchObject({status: 'completed', summary: 'Built'});
			expect(result).not.toHaveProperty('usage');
		},
		'events.ndjson: lists the events that the run published': ({audited}) =>
			expect(audited).toEqual(expect.arrayContaining(['context.note', 'code.proposal.isolated'])),
		'pending.ndjson: lists deferred events that wait for a flush': ({deferred, runDir}) =>
			expect(deferred).toMatchObject({ok: true, deferred: true, pendingPath: `${runDir}/pending.ndjson`}),
		'run directory: is in the colony root and never inside a worktree': ({runsInWorktree}) =>
			expect(runsInWorktree).toBe(false),
	});
});

describe('Task projection', () => {
	rows(feature, {
		'task.md: has the fields as frontmatter and the body below': ({taskFile}) => {
			const [, front = '', body] = /^---\n([\s\S]*?)\n---\n\n([\s\S]*)$/.exec(taskFile) ?? [];
			const keys = front.split('\n').map(line => line.replace(/:.*/, ''));
			const named = 'traceId taskId title bee status dependsOn summary commit proposalWorkspace updatedAt';
			expect(keys).toEqual(expect.arrayContaining(named.split(' ')));
			expect(body).toBe('Bricks.\n');
		},
		'runs.ndjson: has one record for each execution': ({taskRuns, built}) =>
			expect(taskRuns.filter(({bee}) => bee === 'builder')).toEqual([
				{
					...{agentId: built, bee: 'builder', runDir: `.hive/runs/t/${built}`, runStatus: 'completed'},
					...{startedAt: expect.stringMatching(time), finishedAt: expect.stringMatching(time)},
				},
			]),
	});
});

describe('Configuration', () => {
	rows(feature, {
		'.hive/prompts/*.md: render the variables of the spec': ({prompts}) =>
			expect(prompts.lay.split('|').slice(0, 5)).toEqual([
				...['lay', 'Bricks.', 'general', 'Add priorities', 'false'],
			]),
	});
});

describe('Proposal paths', () => {
	rows(feature, {
		'Publisher: a bee publishes isolated with worktree: true, and root with worktree: false': ({events}) =>
			expect(proposals(events).sort()).toEqual(['code.proposal.isolated build', 'code.proposal.root lay']),
		'Reviewer cwd: is the trace worktree, plus the sector, for an isolated proposal': ({guarded, worktree}) =>
			expect(guarded).toMatch(new RegExp(`^${worktree}(/web)?$`)),
		'Reviewer cwd: is the colony root for a root proposal': ({rootGuarded, root: here}) =>
			expect(rootGuarded).toBe(here),
		'Approve: acknowledges a task with a required review, without merge or commit': ({softly}) =>
			expect(softly).toMatchObject({commit: '', base: ''}),
		'Approve: merges the trace worktree at the gate, in one commit': ({isMerged, commits, merged, head}) => {
			expect(isMerged).toBe(true);
			expect(commits).toEqual([merged.commit, head]);
		},
		'Approve: keeps unsaved files of the root unchanged': ({unsaved}) =>
			expect(unsaved).toEqual(['before\ndirty\n', 'brick\n']),
		'the diff of a root proposal: shows the changes of the run, and only its additions to a dirty file': ({
			rootDiff,
		}) => {
			expect(rootDiff).toContain('+brick');
			expect(rootDiff).not.toContain('+before');
		},
		'the merge preview: shows the work in the worktree, with its stat': ({preview}) => {
			expect(preview.patch).toContain('+++ b/web/where.txt');
			expect(preview.stat).toContain('changed');
		},
	});
});

describe('States and transitions', () => {
	rows(feature, {
		'running: is announced by task.status': ({events}) =>
			expect(payloadsOf(events, 'task.status')).toContainEqual(
				expect.objectContaining({taskId: 'build', status: 'running'}),
			),
		'running → waiting_review: review: required waits for a person': ({tasks, exitCode}) => {
			expect(tasks.build?.status).toBe('waiting_review');
			expect(exitCode).toBe(8);
		},
		'waiting_review → ready: a reject publishes human.feedback and sends the task back': ({
			rejected,
			feedback,
		}) => {
			expect(rejected).toBe('ready');
			expect(feedback).toMatchObject([{taskId: 'build', message: 'Shorter'}]);
		},
		'the synthesized gate: waits for a person and is given to no bee': ({gate, later}) => {
			expect(gate).toMatchObject({status: 'waiting_review', review: 'final'});
			expect(payloadsOf(later, 'energy.consume')).not.toContainEqual(
				expect.objectContaining({taskId: '_review'}),
			);
		},
		'waiting_review → completed: an approval completes the gate with its commit': ({completedGate, merged}) =>
			expect(completedGate).toMatchObject({status: 'completed', commit: merged.commit}),
	});
});

describe('Events', () => {
	rows(feature, {
		'feature.requested: starts a flow': ({asked, events}) => {
			expect(asked).toMatchObject([{payload: {kind: 'feature.requested', title: 'Add priorities'}}]);
			expect(payloadsOf(events, 'run.finished')).toContainEqual(expect.objectContaining({bee: 'planner'}));
		},
		'task.completed: has completedAt as an ISO 8601 time in UTC': ({later}) => {
			for (const {completedAt} of payloadsOf(later, 'task.completed')) expect(completedAt).toMatch(time);
		},
		'trace.title: falls back to the title from feature.requested': ({trace}) =>
			expect(trace).toMatchObject({title: 'Add priorities'}),
		'run.summary: is synthesized after the deferred events of the run': ({events, built}) => {
			const said = events.filter(({agentId}) => agentId === built).map(({payload}) => payload.kind);
			expect(said.slice(0, 2)).toEqual(['context.note', 'run.summary']);
		},
	});
});

describe('Errors', () => {
	rows(feature, {
		'worktree does not match the declared proposal kind: the proposal is skipped with a warning': ({
			events,
			crossed,
		}) => {
			expect(proposals(events)).not.toContainEqual(expect.stringContaining('crossed'));
			expect(crossed.warnings).toEqual([expect.stringContaining('code.proposal.root')]);
		},
		'publishes is empty: no proposal is published': ({events, tasks}) => {
			expect(proposals(events)).not.toContainEqual(expect.stringContaining('quiet'));
			expect(tasks.quiet?.status).toBe('completed');
		},
	});
});

describe('CLI commands', () => {
	rows(feature, {
		'hive run: dispatches tasks, and no task is dispatched before it': ({asked, events}) => {
			expect(payloadsOf(asked, 'energy.consume')).toEqual([]);
			expect(payloadsOf(events, 'energy.consume')).not.toEqual([]);
		},
		'hive event pending: lists deferred events': ({pending}) => expect(pending).toContain('"context.note"'),
		'hive proposal approve: approves the proposal of a task': ({merged}) =>
			expect(merged.commit).toMatch(/^[0-9a-f]{40}$/),
		'hive proposal reject: publishes human.feedback': ({feedback}) => expect(feedback).toHaveLength(1),
	});
});
