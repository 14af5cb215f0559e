import {lessons} from '../../source/dashboard/store/state.ts';
import type {DashboardServices} from '../../source/dashboard/world.ts';
import {accepted, refuse} from '../../source/domain/errors.ts';
import {defaultNotify} from '../../source/domain/notify.ts';
import type {TraceHistory} from '../../source/host/history.ts';
import type {ColonyStatus, LiveFacts, Update} from '../../source/host/live/live.ts';
import type {TimedText} from '../../source/host/logs/run-log.ts';
import {noMemory} from '../../source/host/review/review-memory.ts';
import type {RunActivities} from '../../source/host/views/activity.ts';
import type {Clashes} from '../../source/host/views/clashes.ts';
import type {DetailFacts, DetailTarget} from '../../source/host/views/detail/section.ts';
import type {SessionView} from '../../source/host/views/session.ts';
import type {Spent} from '../../source/host/views/today.ts';
import {noFaults} from '../host/host-with.ts';
import {ago, buildEvent, buildRun, buildTask, buildTrace, mapOf, noon} from './build-trace.ts';

const oauth = 'trace-019a8b7c3f9a1c02';
const flaky = 'trace-019a8b7177b0e4d1';
const broke = 'trace-019a8b220a51c9ee';
const bumped = 'trace-019a7fffbe11f002';

export const fixtureTraces = mapOf(
	buildTrace(oauth, {
		title: 'Add OAuth login',
		tasks: [
			buildTask('scout', {bee: 'scout', status: 'completed', summary: '4 files mapped'}),
			buildTask('api', {
				status: 'completed',
				dependsOn: ['scout'],
				summary: 'routes + tests',
				commit: '9c1e02fabc',
				proposalWorkspace: 'isolated',
			}),
			buildTask('ui', {
				status: 'running',
				dependsOn: ['api'],
				review: 'required',
				proposalWorkspace: 'isolated',
				agentId: '5d2f91aa00bb11cc',
			}),
			buildTask('db-migration', {
				status: 'waiting_review',
				dependsOn: ['api'],
				review: 'required',
				title: 'Partial index on users.oauth_id',
				summary: 'adds users.oauth_id',
				proposalWorkspace: 'isolated',
				proposal: {sequence: 40, workspace: 'isolated', summary: 'adds users.oauth_id'},
				verdict: {sequence: 41, proposal: 40, passed: true, summary: 'diff ok'},
			}),
			buildTask('docs', {bee: 'scribe', dependsOn: ['ui', 'db-migration']}),
			buildTask('_review', {review: 'final', bee: ''}),
		],
		runs: [
			buildRun('aa01aa01aa01aa01', {
				taskId: 'scout',
				bee: 'scout',
				status: 'completed',
				startedAt: ago(11),
				finishedAt: ago(10),
				exitCode: 0,
			}),
			buildRun('19aa02bb00bb11cc', {
				taskId: 'ui',
				status: 'failed',
				startedAt: ago(9),
				finishedAt: ago(8),
				exitCode: 1,
				summary: 'tests failed',
			}),
			buildRun('77cd02bb00bb11cc', {
				taskId: 'db-migration',
				status: 'completed',
				startedAt: ago(8),
				finishedAt: ago(6),
				exitCode: 0,
				summary: 'adds users.oauth_id',
			}),
			buildRun('5d2f91aa00bb11cc', {taskId: 'ui', startedAt: ago(2.7)}),
		],
	}),
	buildTrace(flaky, {
		title: 'Fix flaky upload test',
		createdAt: ago(64),
		energyRemaining: 3,
		tasks: [
			buildTask('find', {status: 'completed'}),
			buildTask('fix', {status: 'completed', dependsOn: ['find'], proposalWorkspace: 'isolated'}),
			buildTask('_review', {status: 'waiting_review', review: 'final', bee: '', updatedAt: ago(4)}),
		],
	}),
	buildTrace(broke, {
		title: 'Speed up the importer',
		createdAt: ago(130),
		energyRemaining: 0,
		tasks: [
			buildTask('profile', {status: 'completed'}),
			buildTask('batch', {status: 'blocked', dependsOn: ['profile'], summary: 'Honey reserve exhausted'}),
		],
	}),
	buildTrace(bumped, {
		title: 'Bump deps',
		createdAt: ago(60 * 30),
		energyRemaining: 9,
		tasks: ['a', 'b', 'c', 'd'].map(id => buildTask(id, {status: 'completed'})),
	}),
);

export const fixtureEvents = [
	buildEvent(oauth, 'SIGNAL', 'feature.requested', {title: 'Add OAuth login'}),
	buildEvent(oauth, 'INSIGHT', 'task.plan', {tasks: [{}, {}, {}]}),
	buildEvent(oauth, 'SIGNAL', 'energy.consume', {taskId: 'ui', amount: 1}),
	buildEvent(oauth, 'MUTATION', 'code.proposal.isolated', {
		taskId: 'db-migration',
		summary: '3 files +58 -4',
	}),
	buildEvent(oauth, 'VERIFICATION', 'verification.success', {taskId: 'db-migration', summary: 'diff ok'}),
	buildEvent(oauth, 'SIGNAL', 'task.status', {taskId: 'db-migration', status: 'waiting_review'}),
];

export const fixtureLog = [
	['13:59:31', 'reading src/auth/*.ts'],
	['13:59:48', 'edit src/ui/Login.tsx (+42 -3)'],
	['14:00:10', '$ npm test -- login'],
	['14:01:55', ' \x1b[31m✗\x1b[0m Login › shows error on denied consent'],
	['14:02:02', 'fixing Login.tsx:88'],
	['14:02:09', '$ npm test -- login'],
].map(([time, text]) => ({at: `2026-03-01T${time}Z`, text: `${text}\n`}));

const patchOf = (path: string, from: number): string =>
	[
		`diff --git a/${path} b/${path}`,
		'index 1a2b3c4..5d6e7f8 100644',
		`--- a/${path}`,
		`+++ b/${path}`,
		`@@ -${from},4 +${from},6 @@ create table users`,
		' alter table users',
		'-  add column oauth text;',
		'+  add column oauth_id text;',
		'+create unique index users_oauth on users (oauth_id)',
		'+  where oauth_id is not null;',
		' commit;',
		`@@ -${from + 20},3 +${from + 22},4 @@`,
		' -- end',
		'+-- checked',
		'',
	].join('\n');

export const fixturePreview = {
	workspace: 'isolated' as const,
	branch: `hive/${oauth}`,
	base: 'main',
	tree: 'feedfacefeedfacefeedfacefeedfacefeedface',
	fork: 'ba5eba5eba5eba5eba5eba5eba5eba5eba5eba5e',
	work: 'feedfacefeedfacefeedfacefeedfacefeedface',
	files: [
		{path: 'migrations/014_oauth.sql', added: 12, removed: 0},
		{path: 'src/users/model.ts', added: 40, removed: 4},
		{path: 'src/users/model.test.ts', added: 6, removed: 0},
	],
	patch: ['migrations/014_oauth.sql', 'src/users/model.ts', 'src/users/model.test.ts']
		.map((path, index) => patchOf(path, 1 + index * 30))
		.join(''),
	truncated: false,
	conflicts: [],
	unsaved: [],
	carried: ['notes.md', 'todo.md'],
	notTaken: [],
	planted: [],
};

/** Returns the history of a trace: after its first task, after its second, and so on. */
const fixtureHistory = (traceId: string): TraceHistory => {
	const trace = fixtureTraces.get(traceId) ?? buildTrace(traceId, {});
	const tasks = [...trace.tasks.values()];
	return {
		events: tasks.map(({taskId}) =>
			buildEvent(traceId, 'SIGNAL', 'task.status', {taskId, status: 'running'}),
		),
		at: position => buildTrace(traceId, {title: trace.title, tasks: tasks.slice(0, position + 1)}),
	};
};

/** Returns the contents of a run's log and directory. */
export const fixtureDetail = ({agentId}: DetailTarget): DetailFacts => ({
	causes: [
		{sequence: 31, at: ago(9), kind: 'task.plan', what: 'planned, needs api', by: 'scout (aa01aa01aa01aa01)'},
		{sequence: 38, at: ago(8), kind: 'run.finished', what: 'running -> failed: tests failed', by: 'hive'},
	],
	waits: [],
	used: new Map([['19aa02bb00bb11cc', {inputTokens: 1200, outputTokens: 300, costUsd: 0.04}]]),
	...(agentId && {
		run: {
			agentId,
			prompt: '# Task\nShow an error on denied consent.',
			message: 'I could not make the last test pass.',
			error: 'tests failed',
			errors: 'npm ERR! login.test.ts\nnpm ERR! 1 failed',
			hasEarlierErrors: false,
			warnings: [],
			files: [{path: 'src/ui/Login.tsx', added: 42, removed: 3}],
		},
	}),
});

export type Asked = {readonly action: string; readonly input: unknown};

/** Creates a world of fixed snapshots that records requests and can send more data. */
export const createFixtureWorld = (change: Partial<DashboardServices> = {}) => {
	const asked: Asked[] = [];
	let update: ((update: Update) => void) | undefined;
	let status: ((status: ColonyStatus) => void) | undefined;
	let log: ((parts: readonly TimedText[]) => void) | undefined;
	let sessions: ((sessions: readonly SessionView[]) => void) | undefined;
	let doing: ((doings: RunActivities) => void) | undefined;
	let survey: ((survey: LiveFacts) => void) | undefined;
	let clash: ((clashes: Clashes) => void) | undefined;
	let spend: ((spent: Spent) => void) | undefined;
	let complain: ((reason: string) => void) | undefined;
	const world: DashboardServices = {
		faults: noFaults,
		header: {slug: 'acme-api', root: '/home/me/acme-api', branch: 'main', bus: 'embedded'},
		cues: () => [
			{id: 'feature', description: 'Ask for a feature', planReview: 'none', params: []},
			{id: 'hotfix', description: 'One task, straight to a builder', planReview: 'none', params: []},
		],
		facts: () => ({
			bees: [
				{name: 'builder', note: 'alpha · worktree · takes tasks', talks: true},
				{name: 'scout', note: 'alpha · root · plans', talks: true},
			],
			problems: [],
			awaiting: [],
			toolAdvice: [],
		}),
		reloaded: () => {},
		inbox: async () => ({entries: [], traces: fixtureTraces}),
		examples: async () => [
			'Add a test for src/parse.ts',
			'Fix the TODO in lib/x.js: close the file on every path',
			'Describe how to run the tests in README.md',
		],
		configurationChanges: async () => ({seen: '', changes: [], patch: ''}),
		follow: (_signal, call) => {
			update = call;
			call({traces: fixtureTraces, events: fixtureEvents});
		},
		status: (_signal, call) => {
			status = call;
			call({reactor: 'here', bus: {state: 'live'}, places: []});
		},
		survey: (_signal, call) => {
			survey = call;
			call({held: new Map(), problems: []});
		},
		clashes: (_signal, call) => {
			clash = call;
		},
		spent: (_signal, call) => {
			spend = call;
		},
		notify: () => defaultNotify,
		onProblem: (_signal, call) => {
			complain = call;
		},
		log: ({agentId, stream}, _signal, call) => {
			log = call;
			if (stream === 'stderr') return call([{text: 'a warning\n'}]);
			call(agentId.startsWith('5d2f') ? fixtureLog : [{text: 'done\n'}]);
		},
		preview: async ({taskId}) =>
			taskId === 'nothing' ? refuse('nothing_to_merge') : accepted(fixturePreview),
		sheetFacts: async () => ({}),
		reworkChoice: async () => ({tasks: [], chosen: ''}),
		waits: async ({taskId}) => [{for: 'dependency', what: `what ${taskId} needs`}],
		sessions: (_signal, call) => {
			sessions = call;
		},
		searchSessions: async () => [],
		inspect: () => {},
		progress: async () => new Map(),
		doing: (_signal, call) => {
			doing = call;
		},
		reviews: {read: async () => noMemory, write: async () => undefined},
		compare: async () => refuse('nothing_to_merge'),
		lineOrigin: async () => refuse('nothing_to_merge'),
		lines: async () => undefined,
		detail: async target => fixtureDetail(target),
		history: async traceId => accepted(fixtureHistory(traceId)),
		join: async () => refuse('wrong_status'),
		chat: async () => refuse('wrong_status'),
		attach: async () => '',
		act: async (action, input) => {
			asked.push({action, input});
			return accepted({said: `${action} published`});
		},
		preferences: {sort: '', archived: [], learned: [...lessons]},
		updatePreferences: async () => undefined,
		now: () => noon,
		commands: async () => [],
		runCommand: async () => ({output: '', exitCode: 0}),
		copy: () => undefined,
		launch: async () => undefined,
		openPager: async () => undefined,
		edit: async text => `${text} edited`,
		editFile: async () => undefined,
		openShell: async () => undefined,
		liveChange: () => undefined,
		toolCall: () => undefined,
		worktree: async traceId => accepted({path: `/home/me/acme-api/.hive/worktrees/${traceId}`, planted: []}),
		consoleAt: () => undefined,
		consoleOpened: () => undefined,
		beforeSuspend: async () => undefined,
		afterResume: async () => undefined,
		...change,
	};
	return {
		world,
		asked,
		tell: {
			update: (next: Update) => update?.(next),
			status: (next: ColonyStatus) => status?.(next),
			log: (text: string) => log?.([{text}]),
			sessions: (all: readonly SessionView[]) => sessions?.(all),
			doing: (doings: RunActivities) => doing?.(doings),
			survey: (next: LiveFacts) => survey?.(next),
			clashes: (next: Clashes) => clash?.(next),
			spent: (next: Spent) => spend?.(next),
			complaint: (reason: string) => complain?.(reason),
		},
	};
};
