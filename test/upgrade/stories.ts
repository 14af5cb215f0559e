import {once} from 'node:events';
import {existsSync} from 'node:fs';
import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {setTimeout as pass} from 'node:timers/promises';
import {openConsole} from '../chaos/open-console.ts';
import {
	createScratchColony,
	type Ended,
	handsOn,
	type ScratchColony,
	untilIdle,
} from '../chaos/scratch-colony.ts';
import {openBotApi, owner} from '../helpers/bot-platform.ts';
import {openTerminal} from '../helpers/virtual-terminal.ts';

/** One colony as two versions of hive see it: the first has made it. */
export type Both = {
	readonly first: ScratchColony;
	readonly second: ScratchColony;
	readonly commands: {readonly first: string; readonly second: string};
};

/** Plays a story. Returns what did not hold, as sentences. */
type Story = (both: Both) => Promise<readonly string[]>;

const heard = `$| = 1; print "ready\\n"; while (<STDIN>) { print "heard $_" }\n`;

const bees = {
	maker: {worktree: true, script: 'echo "$HIVE_TASK_ID" >"$HIVE_TASK_ID.txt"; echo "Made it."'},
	slow: {worktree: true, script: 'while [ ! -e "$HOME/go" ]; do sleep 0.1; done; echo late >late.txt'},
	talker: {
		adapter: 'alpha',
		worktree: true,
		interactive_command: ['perl', '$COLONY_ROOT/talk.pl'],
		script: '',
	},
};

/** Creates a colony by the first command, which the second uses too. */
export const createBoth = async (first: string, second: string): Promise<Both> => {
	const settings = {defaults: {default_bee: 'maker', max_parallel_runs: 4}};
	const colony = await createScratchColony({
		...{command: first, settings, bees, files: {'talk.pl': heard}, bus: 'embedded'},
	});
	return {first: colony, second: handsOn(colony.folder, second, undefined), commands: {first, second}};
};

/** What a command of one version may say to another: it did it, or it says which hive to update. */
const isPolite = ({exitCode, stdout, stderr}: Ended): boolean =>
	exitCode === 0 || /\b(?:update|restart|newer|older)\b/i.test(`${stdout}${stderr}`);

const failed = (words: string, ended: Ended): string =>
	`${words} ended with ${ended.exitCode}: ${(ended.stdout + ended.stderr).slice(-400)}`;

const task = (trace: string, ...more: readonly string[]): readonly string[] => [
	...['task', 'create', '--trace', trace, '--task', trace, '--title', `Make ${trace}`, '--body', 'x'],
	...['--autorun', ...more],
];

type Trace = {readonly traceId: string; readonly title: string; readonly status?: string};

const tracesOf = async (colony: ScratchColony): Promise<readonly Trace[]> =>
	(await colony.ask<{traces: Trace[]}>(['status'])).traces;

const eventually = async (
	holds: () => boolean | Promise<boolean>,
	words: string,
): Promise<readonly string[]> => {
	for (let turn = 0; turn < 600; turn++) {
		if (await holds()) return [];
		await pass(200);
	}
	return [words];
};

const startReactor = async (colony: ScratchColony) => {
	const reactor = colony.start(['run']);
	reactor.stdout?.resume();
	reactor.stderr?.resume();
	const isHere = async (): Promise<boolean> => {
		const {reactors} = await colony.ask<{reactors: {here: boolean}[]}>(['status']);
		return reactors.some(({here}) => here);
	};
	await eventually(isHere, '');
	return {
		kill: async (signal: NodeJS.Signals) => {
			reactor.kill(signal);
			if (reactor.exitCode === null && reactor.signalCode === null) await once(reactor, 'close');
		},
	};
};

/** The log of one is read whole by the other, and both find it sound. */
const log: Story = async ({first, second}) => {
	await first.ask(task('one'));
	await first.hive(untilIdle);
	await second.ask(task('two'));
	await second.hive(untilIdle);
	const [of, other] = [await tracesOf(first), await tracesOf(second)];
	const names = (traces: readonly Trace[]) => traces.map(({traceId, title}) => `${traceId} ${title}`).join();
	const verified = [await first.hive(['bus', 'verify']), await second.hive(['bus', 'verify'])];
	return [
		...(of.length === 2 && names(of) === names(other) ? [] : [`they list ${names(of)} and ${names(other)}`]),
		...verified.filter(ended => ended.exitCode !== 0).map(ended => failed('bus verify', ended)),
	];
};

/** A reactor of the first serves commands of the second; then the second's reactor goes on. */
const reactor: Story = async ({first, second}) => {
	const running = await startReactor(first);
	const created = await second.hive(task('three'));
	const faults = isPolite(created) ? [] : [failed('task create', created)];
	if (created.exitCode === 0) {
		const waited = await second.hive(['wait', '--trace', 'three', '--for', 'review', '--timeout', '5m']);
		if (!isPolite(waited)) faults.push(failed('wait', waited));
		const approved = await second.hive(['proposal', 'approve', '--trace', 'three', '--task', '_review']);
		if (!isPolite(approved)) faults.push(failed('approve', approved));
		else if (approved.exitCode === 0 && !existsSync(join(first.root, 'three.txt')))
			faults.push('three.txt is approved and not in the checkout');
	}
	await running.kill('SIGTERM');
	const ended = await second.hive(untilIdle);
	if (![0, 8].includes(ended.exitCode ?? -1)) faults.push(failed('run --until-idle', ended));
	return faults;
};

/** A run that the first started is taken over by the second, and started once. */
const adoption: Story = async ({first, second}) => {
	const running = await startReactor(first);
	await first.ask(task('four', '--bee', 'slow'));
	const starts = () => first.noted('starts').filter(line => line.includes(' four ')).length;
	const faults = [...(await eventually(() => starts() > 0, 'the run of four never started'))];
	await running.kill('SIGKILL');
	await writeFile(join(first.home, 'go'), '');
	const ended = await second.hive(untilIdle);
	if (ended.exitCode !== 8) faults.push(failed('run --until-idle', ended));
	if (starts() !== 1) faults.push(`the run of four started ${starts()} times`);
	const {task: found} = await second.ask<{task: {status: string}}>(
		...([['task', 'show', '--trace', 'four', '--task', 'four']] as const),
	);
	if (found.status !== 'completed') faults.push(`four is ${found.status}`);
	return faults;
};

type Listed = {readonly sessionId: string; readonly traceId: string};

/** A session that the first holds is listed, heard, written to and ended by the second. */
const session: Story = async ({first, second, commands}) => {
	const size = {columns: 80, rows: 24};
	const chat = [process.execPath, commands.first, 'bee', 'chat', 'talker', '--trace', 'five'];
	const begun = openTerminal(chat, {...size, cwd: first.root, env: first.env});
	await begun.until(screen => screen.includes('ready'));
	begun.close();
	const {sessions} = await second.ask<{sessions: Listed[]}>(['session', 'list']);
	const found = sessions.find(({traceId}) => traceId === 'five');
	if (found === undefined) return ['the session is not listed'];
	const {sessionId} = found;
	const sent = await second.hive(['session', 'send', sessionId, '--body', 'hello']);
	const attach = [process.execPath, commands.second, 'session', 'attach', sessionId];
	const attached = openTerminal(attach, {...size, cwd: first.root, env: first.env});
	const faults = isPolite(sent) ? [] : [failed('session send', sent)];
	await attached.until(screen => screen.includes(sent.exitCode === 0 ? 'hello' : 'ready'));
	attached.close();
	const stopped = await second.hive(['session', 'stop', sessionId]);
	if (stopped.exitCode !== 0) faults.push(failed('session stop', stopped));
	return faults;
};

/** A console of the first shows and approves what the second made. */
const page: Story = async ({first, second}) => {
	const opened = await openConsole(first);
	try {
		await second.ask(task('six'));
		const ended = await second.hive(untilIdle);
		const faults = ended.exitCode === 8 ? [] : [failed('run --until-idle', ended)];
		await opened.approveShown('six', '_review');
		if (!existsSync(join(first.root, 'six.txt'))) faults.push('six.txt is not in the checkout');
		return faults;
	} finally {
		await opened.end();
	}
};

/** A chat gateway of the first shows a review of the second's work, and its button approves. */
const chat: Story = async ({first, second}) => {
	const api = await openBotApi();
	const settings = {
		...{enabled: true, bot_token: '1:secret-token', api_root: api.url},
		...{allow_from: [owner.user], chat_ids: [owner.chat]},
	};
	await writeFile(join(first.home, '.config/hive/chaos/chat.yaml'), JSON.stringify(settings), {mode: 0o600});
	const gateway = first.start(['gate', 'chat']);
	gateway.stdout?.resume();
	gateway.stderr?.resume();
	try {
		await second.ask(task('seven'));
		const ended = await second.hive(untilIdle);
		const faults = ended.exitCode === 8 ? [] : [failed('run --until-idle', ended)];
		const offers = ({text, buttons}: (typeof api.messages)[number]): boolean =>
			text.includes('Make seven') && buttons.flat().some(button => button.text === 'Merge');
		const card = await api.until(() => api.messages.find(offers));
		api.press(card, 'Merge');
		await api.until(() => card.buttons.flat().find(({text}) => text.startsWith('Yes')));
		api.press(card, 'Yes: Merge');
		await api.until(() => card.text.includes('nswered in the chat') || undefined);
		if (!existsSync(join(first.root, 'seven.txt'))) faults.push('seven.txt is not in the checkout');
		return faults;
	} finally {
		gateway.kill('SIGTERM');
		if (gateway.exitCode === null) await once(gateway, 'close');
		api.close();
	}
};

/** In this order: each works on what those before it left. */
export const stories: Readonly<Record<string, Story>> = {log, reactor, adoption, session, page, chat};
