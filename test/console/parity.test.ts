import {expect, it} from 'vitest';
import {commandGroups} from '../../source/cli/commands.ts';
import {pathsOf} from '../../source/cli/route.ts';
import {addresses} from '../../source/console/addresses.ts';
import {actionKeys, keyRows} from '../../source/console/page/keys.ts';
import {reads} from '../../source/console/reads.ts';
import {actRows} from '../../source/dashboard/keys/act-rows.ts';
import {tabPanes} from '../../source/dashboard/store/state.ts';
import {type ActionId, actionIds, actionTable} from '../../source/host/actions/table.ts';

/** The palette of the dashboard takes every command, so these need no key or form of their own. */
const byPaletteAlone = {
	'task.create': 'Takes a plan, which is written in a file or asked of a cue.',
	'bee.run': 'Takes a prompt, which is asked for by the palette.',
	'session.send': 'A person types into the session that is shown.',
	'invite.record': 'Is what a bee says; the palette has it.',
	'question.answer': 'The key that retries opens its form where a run waits.',
	restore: 'Asks where to; the palette has it.',
	prune: 'Shows first what would go; the palette has it.',
} as const;

/**
 * A view: the commands, routes and dashboard panes that show it. A face without it has a reason.
 */
type View = {
	readonly commands?: readonly string[];
	readonly routes?: readonly string[];
	readonly panes?: readonly string[];
	readonly because?: string;
};

const task = '/api/traces/:traceId/tasks/:taskId';
const views: readonly View[] = [
	{
		commands: ['status'],
		routes: ['/api/colony', '/api/runtime', '/api/inbox', '/api/traces', '/api/agents'],
		panes: ['traces'],
	},
	{
		commands: ['task list', 'task show', 'trace show'],
		routes: [
			'/api/tasks',
			...['/api/traces/:traceId', '/api/traces/:traceId/tasks', '/api/traces/:traceId/detail'],
			...[task, `${task}/detail`],
		],
		panes: ['tasks'],
	},
	{commands: ['why'], routes: [`${task}/why`], panes: ['tasks']},
	{
		commands: ['logs'],
		routes: [
			...['/api/runs', '/api/traces/:traceId/runs', '/api/runs/:traceId/:agentId'],
			'/api/runs/:traceId/:agentId/log',
			'/api/runs/:traceId/:agentId/progress',
		],
		panes: ['runs', 'allRuns', 'log'],
	},
	{
		commands: ['proposal show'],
		routes: ['/api/traces/:traceId/sheet', `${task}/sheet`],
		panes: ['queue'],
	},
	{commands: ['proposal list'], routes: ['/api/review-queue'], panes: ['queue']},
	{commands: ['landing list'], routes: ['/api/landing'], panes: ['traces']},
	{
		commands: ['proposal diff'],
		routes: [`${task}/preview`, `${task}/changes`, `${task}/rework`, '/api/traces/:traceId/merge-diff'],
		panes: ['diff'],
	},
	{commands: ['proposal show'], routes: ['/api/traces/:traceId/sheet', `${task}/sheet`], panes: ['sheet']},
	{
		commands: ['replay'],
		routes: ['/api/events', '/api/traces/:traceId/events', '/api/runs/:traceId/:agentId/events'],
		panes: ['events'],
	},
	{
		commands: ['session list', 'session search'],
		routes: ['/api/sessions', '/api/sessions/:sessionId', '/api/sessions/:sessionId/screen'],
		panes: ['sessions'],
	},
	{commands: ['session replay'], routes: ['/api/sessions/:sessionId/transcript'], panes: ['log']},
	{
		commands: ['forge list'],
		routes: ['/api/traces/:traceId/sheet', `${task}/sheet`],
		panes: ['sheet'],
	},
	{commands: ['plan show'], routes: ['/api/traces/:traceId/plan'], panes: ['sheet']},
	{commands: ['question list'], routes: ['/api/questions'], panes: ['queue']},
	{commands: ['invite list'], routes: ['/api/invites'], panes: ['queue']},
	{commands: ['cue list'], routes: ['/api/cues'], panes: ['colony']},
	{commands: ['doctor'], routes: ['/api/bees', '/api/configuration/changes'], panes: ['colony']},
	{commands: ['energy show', 'inspect usage'], routes: ['/api/traces/:traceId/usage'], panes: ['traces']},
	{
		commands: ['colony topology'],
		routes: ['/api/colony/topology'],
		because: 'A graph is no picture for a terminal; the palette prints its text.',
	},
	{
		routes: ['/api/traces/:traceId/artifacts'],
		because: 'Who is at the machine has the files themselves; a phone has not.',
	},
	{
		routes: ['/api/actions'],
		because: 'The page makes its buttons of it; commands and keys have the table itself.',
	},
	{
		commands: ['help', 'completion'],
		because: 'They are of a command line; the page has its keys, the API its OpenAPI.',
	},
	{
		commands: [
			...['dashboard', 'console', 'console link', 'console token', 'demo'],
			...['gate chat', 'gate pair', 'gate chats', 'gate unpair'],
		],
		because: 'They start faces and give out their keys: whoever uses a console must not make more of them.',
	},
	{
		commands: ['console devices', 'console revoke'],
		routes: ['/api/devices'],
		because: 'They are of the console; the palette of the dashboard has the commands.',
	},
	{
		commands: ['run', 'wait', 'forge watch'],
		because:
			'They are a process that goes on; the API has the stream, and the dashboard and console run a reactor.',
	},
	{
		commands: [
			...['init', 'bus move', 'bus verify', 'nuc export', 'nuc import', 'export'],
			...['contain show', 'contain try', 'torture'],
		],
		because: 'They read and write files and servers of the machine, which nobody may from elsewhere.',
	},
	{
		commands: ['session attach'],
		because: 'It passes a whole terminal through; the page shows the screen, and sends texts.',
	},
	{
		commands: ['answer'],
		because: 'It is the action "question.answer" under the word that people say.',
	},
	{commands: ['blame'], routes: [`${task}/line`], panes: ['diff']},
	{
		commands: ['permission list', 'permission remove'],
		because: 'They read and change a file of the machine, which other places must not.',
	},
	{
		commands: ['mcp', 'event emit', 'event validate', 'event pending', 'event flush'],
		because: 'They are what agents speak by.',
	},
];

const commands = pathsOf(commandGroups);

it('every action is offered by the command line, the API and the dashboard, or has a reason why not', () => {
	const commandOf = (id: ActionId) =>
		(actionTable[id].command ?? id.replaceAll('.', ' ')).replace(/ --.*/, '');
	expect(actionIds.filter(id => !commands.includes(commandOf(id)))).toEqual([]);
	expect(Object.keys(addresses).toSorted()).toEqual([...actionIds].toSorted());
	const keyed = new Set<string>(actRows.map(({action}) => action));
	expect(actionIds.filter(id => !keyed.has(id)).toSorted()).toEqual(Object.keys(byPaletteAlone).toSorted());
});

it('the keys of the page are those of the dashboard, and its help lists all of them', () => {
	const keyed = Object.entries<string>(actionKeys).toSorted();
	const ofDashboard = actRows.flatMap(({action, keys}) => keys.map((key): [string, string] => [action, key]));
	expect(keyed).toEqual(ofDashboard.toSorted());
	expect(keyed.filter(([, key]) => keyRows.every(([shown]) => shown !== key))).toEqual([]);
});

it('every view of one face is in the others, or has a reason why not', () => {
	const actions = actionIds.map(id => id.replaceAll('.', ' '));
	const all = (of: 'commands' | 'routes' | 'panes') => new Set(views.flatMap(view => view[of] ?? []));
	expect([...all('commands')].toSorted()).toEqual(
		commands.filter(path => !actions.includes(path)).toSorted(),
	);
	expect([...all('routes')].toSorted()).toEqual(reads.map(({path}) => path).toSorted());
	expect([...all('panes')].toSorted()).toEqual([...new Set(Object.values(tabPanes).flat())].toSorted());
	const unexplained = views.filter(
		({commands: words, routes, panes, because}) => because === undefined && !(words && routes && panes),
	);
	expect(unexplained).toEqual([]);
});
