import {join} from 'node:path';
import {type Answer, type Refusal, say} from './conversation.ts';
import type {Headless, Setting} from './headless.ts';
import type {Place} from './tools.ts';

/** The answers of the model in order. The last one is repeated. */
export type Scenario = {
	readonly name: string;
	readonly setting: Setting;
	readonly says: (tool: Headless, place: Place) => readonly (Answer | Refusal)[];
	/** True if the tool is killed shortly after the last answer begins. */
	readonly isKilled?: boolean;
};

export const filesOfWorkspace: Readonly<Record<string, string>> = {
	'notes.txt': 'Bees dance.\nThe dance says where the flowers are.\n',
};

export const prompt = 'Read notes.txt, count a little, and write greeting.txt.';

/** Each line is different, because a tool may treat repetition as a loop. */
const longStory = ['Workers', 'Drones', 'Queens', 'Scouts', 'Guards', 'Nurses', 'Builders', 'Foragers']
	.map((name, at) => `${name} come ${at + 1} in this story, and do what ${name.toLowerCase()} do.\n\n`)
	.join('');

const success = (tool: Headless, {workspace}: Place): readonly Answer[] => [
	say('I read the notes first.', tool.read(join(workspace, 'notes.txt'))),
	say('Now I count.', tool.run('for number in one two three; do echo "line $number"; done')),
	say('Now I greet.', tool.write(join(workspace, 'greeting.txt'), 'Hello\n')),
	say('All done: the notes are read and the greeting is written.'),
];

const planned = (tool: Headless, {workspace}: Place): readonly Answer[] => {
	const plan = (completed: number) => tool.plan?.(completed) ?? [];
	return [
		say('I plan.', ...plan(0)),
		say('I read.', tool.read(join(workspace, 'notes.txt'))),
		say('I tick off.', ...plan(1)),
		say('I write.', tool.write(join(workspace, 'greeting.txt'), 'Hello\n')),
		say('I tick off.', ...plan(2)),
		say('The greeting is written, not checked.'),
	];
};

const refused =
	(kind: keyof Headless['refusals']): Scenario['says'] =>
	tool => [tool.refusals[kind]];

export const scenarios: readonly Scenario[] = [
	{name: 'success', setting: 'plain', says: success},
	{
		...{name: 'tool-failure', setting: 'plain'},
		says: (tool, {workspace}) => [
			say('I check.', tool.run('echo "checking"; echo "this is broken" >&2; exit 1')),
			say('I look.', tool.read(join(workspace, 'missing.txt'))),
			say('The check failed, and the file is not there.'),
		],
	},
	{
		...{name: 'denied', setting: 'denying'},
		says: (tool, place) => [
			...(tool.denies?.(place) ?? []).map(call => say('I try.', call)),
			say('I was not allowed to do that.'),
		],
	},
	{
		...{name: 'retry', setting: 'plain'},
		says: ({refusals, patience}) => [
			...Array<Refusal>(patience).fill(refusals.busy),
			say('Here I am after all.'),
		],
	},
	{name: 'plan', setting: 'planning', says: planned},
	{name: 'api-error', setting: 'plain', says: refused('unauthorized')},
	{name: 'limit', setting: 'limited', says: refused('limit')},
	{
		...{name: 'killed', setting: 'plain', isKilled: true},
		says: (tool, {workspace}) => [
			say('I read the notes first.', tool.read(join(workspace, 'notes.txt'))),
			{parts: [longStory, 'This is never said.']},
		],
	},
];
