import {execFile} from 'node:child_process';
import {mkdir, mkdtemp, readFile, realpath, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {dirname, join, resolve} from 'node:path';
import {parseArgs, promisify} from 'node:util';
import {endHolding} from '../chaos/machine.ts';
import type {Refusal, Reply} from './conversation.ts';
import {type Headless, headlessTools} from './headless.ts';
import {install} from './install.ts';
import {asRecorded, lastOf} from './normalise.ts';
import {askedOf} from './proof.ts';
import {runHeadless} from './run-headless.ts';
import {filesOfWorkspace, prompt, type Scenario, scenarios} from './scenarios.ts';
import {startStandInModel} from './stand-in-model.ts';
import {environmentOf, prepareHome} from './tools.ts';

/**
 * Records the output of real agent tools with a stand-in model: `node record.mjs claude --scenario retry`.
 */
const {values, positionals} = parseArgs({
	allowPositionals: true,
	options: {
		scenario: {type: 'string', multiple: true, default: scenarios.map(({name}) => name)},
		streams: {type: 'string', default: 'test/agents/streams'},
		/** A folder that keeps the tools for the next run. */
		installed: {type: 'string'},
	},
});
const chosen = headlessTools.filter(({name}) => positionals.length === 0 || positionals.includes(name));
const folder = await realpath(await mkdtemp(join(tmpdir(), 'hive-agents-')));
const installed = resolve(values.installed ?? join(folder, 'installed'));

const recordAll = async (tool: Headless): Promise<void> => {
	for (const scenario of scenarios) {
		const isMeant = values.scenario.includes(scenario.name);
		const isPossible = {denying: tool.denies, planning: tool.plan, limited: true, plain: true};
		if (isMeant && isPossible[scenario.setting]) await record(tool, scenario);
	}
};

const record = async (tool: Headless, scenario: Scenario): Promise<void> => {
	const home = join(folder, tool.name, scenario.name);
	const begunLast = new AbortController();
	const said: Said = {next: [], isLast: () => begunLast.abort()};
	const model = await startStandInModel(saying(said));
	const place = {installed, home, workspace: join(home, 'work'), model: model.url};
	said.next.push(...scenario.says(tool, place));
	try {
		await prepareWorkspace(place.workspace);
		await prepareHome(tool, place);
		const temporary = join(home, 'tmp');
		await mkdir(temporary);
		const {stdout, stderr, ...end} = await runHeadless({
			...{argv: tool.argv(place, scenario.setting), cwd: place.workspace, input: prompt},
			env: {...environmentOf({env: () => tool.env(place, scenario.setting)}, place), TMPDIR: temporary},
			...(scenario.isKilled ? {killAfter: begunLast.signal} : {}),
		});
		const streams = join(values.streams, tool.name);
		await mkdir(streams, {recursive: true});
		await writeFile(join(streams, `${scenario.name}.ndjson`), asRecorded(stdout, place));
		await keepEnd(join(streams, 'ends.json'), scenario.name, {
			...{...end, stderr: lastOf(asRecorded(stderr, place))},
		});
		const {facts, faults} = askedOf(model);
		for (const fact of [`ended with ${end.exitCode}`, ...facts, ...faults])
			console.log(`${tool.name} ${scenario.name}: ${fact}`);
	} finally {
		endHolding(home);
		model.close();
	}
};

type Said = {readonly next: ReturnType<Scenario['says']>[number][]; readonly isLast: () => void};

/** Side requests get a short text, unless the scenario answers nothing at all. */
const saying =
	({next, isLast}: Said): Reply =>
	({tools}) => {
		const [now, after] = next;
		if (now === undefined) return {parts: []};
		if (tools.length === 0 && !isRefusal(now)) return {parts: ['Bees'], isToldAtOnce: true};
		if (after === undefined) isLast();
		else next.shift();
		return now;
	};

const isRefusal = (said: object): said is Refusal => 'status' in said;

const prepareWorkspace = async (workspace: string): Promise<void> => {
	for (const [path, content] of Object.entries(filesOfWorkspace)) {
		await mkdir(dirname(join(workspace, path)), {recursive: true});
		await writeFile(join(workspace, path), content);
	}
	await git(workspace, 'init', '--quiet');
	await git(workspace, 'add', '.');
	await git(
		workspace,
		'-c',
		'user.name=Bee',
		'-c',
		'user.email=bee@example.com',
		'commit',
		'--quiet',
		'-m',
		'Begin',
	);
};

const git = (cwd: string, ...args: readonly string[]) => promisify(execFile)('git', args, {cwd});

/** Keeps the ends of the scenarios, sorted by name. */
const keepEnd = async (path: string, name: string, end: object): Promise<void> => {
	const known = JSON.parse(await readFile(path, 'utf8').catch(() => '{}'));
	const ends = Object.entries({...known, [name]: end}).toSorted(([one], [other]) => (one < other ? -1 : 1));
	await writeFile(path, `${JSON.stringify(Object.fromEntries(ends), null, '\t')}\n`);
};

try {
	await install(
		installed,
		headlessTools.map(tool => tool.package),
	);
	for (const tool of chosen) await recordAll(tool);
} finally {
	await rm(folder, {recursive: true, force: true, maxRetries: 5});
}
