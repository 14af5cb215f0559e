import {formatCount} from '../domain/format-count.ts';
import {reserveOf, topUps} from '../domain/reserve.ts';
import {isShown, titleOf} from '../domain/trace.ts';
import {cueNeedsText} from '../host/cue-needs-text.ts';
import type {LiveColony} from '../host/live/live.ts';
import type {InboxReading} from '../host/review/read-inbox.ts';
import {formatHoney} from '../host/views/format-reserve.ts';
import {formatInboxCounts, type InboxEntry} from '../host/views/inbox.ts';
import type {Offer} from './card.ts';
import type {Quote} from './format-card.ts';
import {queuedMerges} from './landing-card.ts';
import type {Part} from './message.ts';
import {maxLabelLength} from './offers.ts';
import type {CardContext} from './update-cards.ts';

/** A command's reply, and the actions that it offers. */
type Answer = {readonly parts: readonly Part[]; readonly offers?: readonly Offer[]};

type CommandContext = CardContext & {
	readonly reading: InboxReading;
	readonly header: LiveColony['header'];
	readonly reactorIsAlive: boolean;
};

type Command = {
	readonly name: string;
	readonly hint?: string;
	readonly summary: string;
	readonly answer: (commandContext: CommandContext, text: string) => Answer | Promise<Answer>;
	/** Inbox entries of these kinds get a card each, regardless of the notification levels. */
	readonly shows?: readonly InboxEntry['kind'][];
};

const reply = (...parts: readonly Part[]): Answer => ({parts});

const status: Command = {
	name: 'status',
	summary: 'What waits for you, and whether a reactor is alive.',
	answer: ({reading, header, reactorIsAlive}) => {
		const open = [...reading.traces.values()].filter(trace => !trace.killed).length;
		return reply(
			{strong: header.slug},
			reactorIsAlive ? '\nA reactor is alive.' : '\nNo reactor is alive: nothing is started.',
			`\n${formatCount(open, 'trace')}.`,
			`\n${formatCount(countRunning(reading), 'run')} under way.`,
			`\nWaiting for you: ${formatInboxCounts(reading.entries) || 'nothing'}.`,
		);
	},
};

const countRunning = ({traces: all}: InboxReading): number =>
	[...all.values()].flatMap(({runs}) => [...runs.values()]).filter(({status}) => status === 'running').length;

const energy: Command = {
	name: 'energy',
	hint: '<trace>, or add <trace> <n>',
	summary: 'Show the honey of a trace, or add to it.',
	answer: ({reading, context, quote}, text) => {
		const [, addWord, name = '', amount] = /^(add\s+)?(\S+)(?:\s+(\d{1,6}))?$/.exec(text) ?? [];
		const found = name === '' ? [] : [...reading.traces.keys()].filter(id => id.endsWith(name));
		const [traceId, ...more] = found;
		const trace = traceId === undefined ? undefined : reading.traces.get(traceId);
		if (trace === undefined || more.length > 0)
			return reply(
				name === ''
					? 'Name a trace: /energy <trace>, or the end of its id. /traces lists them.'
					: `${formatCount(found.length, 'trace')} with that id or that end of an id. /traces lists them.`,
			);
		const offer = (units: number): Offer => ({
			label: `+${units}`,
			does: 'energy.add',
			input: {traceId: trace.traceId, amount: units},
			...(addWord !== undefined && {confirm: true}),
		});
		const reserve = reserveOf(trace, context.colony.defaults.budget);
		const units =
			addWord === undefined || Number(amount) < 1 || amount === undefined ? topUps.honey : [Number(amount)];
		return {
			parts: [{said: trace.traceId}, ' ', quote(titleOf(trace), 200), `\nHoney: ${formatHoney(reserve)}.`],
			offers: trace.killed ? [] : [...units.map(offer), dismiss],
		};
	},
};

const dismiss: Offer = {label: 'Cancel', does: 'dismiss', input: {}};

const task: Command = {
	name: 'task',
	hint: '<what you want>',
	summary: 'Start a task on a new trace.',
	answer: ({settings: {task: given}, context, quote}, text) => {
		if (text === '') return reply('Say what you want: /task <text>.');
		const {bee, intent, review, autorun} = given;
		const item = {
			taskId: context.ids.task(),
			title: titleIn(text, quote),
			body: text,
			bee,
			review,
			...(intent && {intent}),
			dependsOn: [],
		};
		return {
			parts: [{strong: 'New task'}, ' for ', {said: bee}, '\n', quote(text, 300)],
			offers: [{label: 'Start', does: 'task.create', input: {items: [item], autorun}}, dismiss],
		};
	},
};

const titleIn = (text: string, quote: Quote): string => quote(text.split('\n', 1)[0] ?? '', 200).said;

const traces: Command = {
	name: 'traces',
	summary: 'The newest traces.',
	answer: ({reading, quote}) => {
		const newest = [...reading.traces.values()]
			.filter(isShown)
			.sort((one, other) => (one.traceId < other.traceId ? 1 : -1))
			.slice(0, 20);
		return newest.length === 0
			? reply('There are no traces yet.')
			: {
					parts: newest.flatMap((trace, index): Part[] => [
						index === 0 ? '' : '\n',
						quote(titleOf(trace) || 'Untitled', 80),
						` (${trace.killed ? 'killed' : formatCount(trace.tasks.size, 'task')})\n  `,
						{said: trace.traceId},
					]),
				};
	},
};

const listCommand = (shows: readonly InboxEntry['kind'][], none: string) => ({
	shows,
	answer: ({reading, quote}: CommandContext): Answer => {
		const found = reading.entries.filter(({kind}) => shows.includes(kind));
		return found.length === 0
			? reply(none)
			: {
					parts: [
						`${formatInboxCounts(found)}, each on its card:`,
						...found.flatMap(({title, sentence}): Part[] => [
							'\n\n',
							quote(title, 80),
							'\n',
							quote(sentence, 200),
						]),
					],
				};
	},
});

const invites: Command = {
	name: 'invites',
	summary: 'The invites that wait, each with its buttons.',
	...listCommand(['invite'], 'No invite waits.'),
};

const review: Command = {
	name: 'review',
	summary: 'What waits for your review or your answer, each with its buttons.',
	...listCommand(['question', 'plan', 'review', 'conflict', 'no_change'], 'Nothing waits for a review.'),
};

/** Max number of merges that one answer names, each with its button. */
const maxQueued = 10;

const landing: Command = {
	name: 'landing',
	summary: 'The approved merges that wait to land, each with a button that stops it.',
	answer: ({reading, quote}) => {
		const queue = queuedMerges(reading.traces, trace => quote(`Stop ${titleOf(trace)}`, maxLabelLength).said);
		if (queue.length === 0) return reply('No merge waits to land.');
		const shown = queue.slice(0, maxQueued);
		return {
			parts: [
				`${formatCount(queue.length, 'merge')} in the landing queue:`,
				...shown.flatMap(({trace, text}): Part[] => [
					'\n\n',
					quote(titleOf(trace), 80),
					'\n',
					quote(text, 200),
				]),
				...(queue.length > shown.length ? [`\n\nand ${queue.length - shown.length} more`] : []),
			],
			offers: [...shown.map(({stop}) => stop), dismiss],
		};
	},
};

const help: Command = {
	name: 'help',
	summary: 'These commands.',
	answer: commandContext => {
		const list = allCommands(commandContext.settings).map(
			({name, hint, summary}) => `/${name}${hint ? ` ${hint}` : ''} - ${summary}`,
		);
		return reply(list.join('\n'));
	},
};

const builtInCommands: readonly Command[] = [status, review, landing, invites, traces, energy, task, help];

/**
 * The custom commands of the person. Each runs a cue or emits a signal on a new trace, after a confirmation.
 */
const customCommands = ({custom}: CardContext['settings']): readonly Command[] =>
	custom.map(({name, description, emits}) => ({
		name,
		hint: '<text>',
		summary: description,
		answer: ({quote, context}, text) =>
			text === '' && wantsText(emits, context.colony)
				? reply(`Say more: /${name} <text>.`)
				: {
						parts: [
							{strong: `/${name}`},
							' ',
							{said: description},
							...(text === '' ? [] : ['\n', quote(text, 300)]),
						],
						offers: [
							'cue' in emits
								? {label: 'Start', does: 'cue.run', input: {cueId: emits.cue, text}}
								: {
										label: 'Start',
										does: 'signal',
										input: {
											...emits.static,
											kind: emits.kind,
											...(text !== '' && {title: titleIn(text, quote), body: text}),
											source: 'chat',
										},
									},
							dismiss,
						],
					},
	}));

export const allCommands = (settings: CardContext['settings']): readonly Command[] => [
	...builtInCommands,
	...customCommands(settings),
];

/** The command that a text names, and the rest of the text. Defaults to help. */
export const commandIn = (
	settings: CardContext['settings'],
	text: string,
): {command: Command; rest: string} => {
	const [, name = '', rest = ''] = /^\/([a-z0-9_]+)(?:@\w+)?(?:\s+([\s\S]*))?$/i.exec(text.trim()) ?? [];
	const command = allCommands(settings).find(each => each.name === name.toLowerCase());
	return {command: command ?? help, rest: rest.trim()};
};

/** True if the command needs text. A cue decides this itself; a signal with fixed values needs none. */
const wantsText = (
	emits: CardContext['settings']['custom'][number]['emits'],
	colony: CardContext['context']['colony'],
): boolean => ('cue' in emits ? cueNeedsText(colony, emits.cue) : Object.keys(emits.static).length === 0);
