import {join} from 'node:path';
import {createColonyOf, type ToolColony} from './colony-of-tool.ts';
import {type Answer, type Asked, type Call, say} from './conversation.ts';
import type {Headless} from './headless.ts';
import type {Place} from './tools.ts';

/** The stories in which a run waits for a person. Undefined if the tool has no means for one. */
export type WaitingProof = {
	/** True if the agent got an answer by `ask_human` of `hive mcp`. */
	readonly human: boolean | undefined;
	/** True if an act that was asked about was done after a person allowed it. */
	readonly granted: boolean | undefined;
	/** True if it was not done after a person denied it, and the agent was told why. */
	readonly denied: boolean | undefined;
};

export const waitedForNothing: WaitingProof = {human: undefined, granted: undefined, denied: undefined};

/** How a tool asks: in runs of its own adapter, or through the Agent Client Protocol. */
type Means = {readonly own?: readonly Story[]; readonly protocol?: readonly Story[]};

const meansOf: Readonly<Record<string, Means>> = {
	claude: {own: ['human', 'granted', 'denied']},
	codex: {own: ['human']},
	gemini: {own: ['human'], protocol: ['human', 'granted', 'denied']},
	opencode: {own: ['human'], protocol: ['human', 'granted', 'denied']},
};

/** The bodies of the tasks. Each is also the part of a story in the model. */
const bodies = {
	human: 'Find out the colour.',
	granted: 'Publish the greeting.',
	denied: 'Publish it once more.',
} as const;
type Story = keyof typeof bodies;
const stories = Object.keys(bodies) as readonly Story[];

const colours = ['Red', 'Blue'] as const;
const reason = 'Not on a Friday.';
const push = 'git push nowhere main';
/** What git says in each language of the machine if it has tried. */
const pushed = /nowhere.*(?:not appear to be a git repository|Could not read from remote)/s;

/** The last result of a call of each story. */
export type Told = Partial<Record<Story, string>>;

/** Plays the model of these stories. Undefined for other requests. */
export const playWaiting = (tool: Headless, told: Told): ((asked: Asked) => Answer | undefined) => {
	let story: Story | undefined;
	/** How often the model has looked for its tool in this story; undefined once it has called that. */
	let looks: number | undefined;
	return ({last, isResult, tools, whole}) => {
		if (tools.length === 0) return undefined;
		// A person's words about a denial may come in a further turn.
		if (!isResult && !last.includes(reason)) {
			story = stories.find(one => last.includes(bodies[one]));
			looks = 0;
		}
		if (story === undefined) return undefined;
		if (looks === undefined) {
			told[story] = whole;
			return say('That is all.');
		}
		const call = callOf(tool, story, tools);
		const isAwaited = call === undefined && looks < maxLooks;
		looks = isAwaited ? looks + 1 : undefined;
		return isAwaited ? say('I look.', tool.run('sleep 1')) : say('I begin.', ...(call ? [call] : []));
	};
};

/** Some tools begin before their servers have started. */
const maxLooks = 20;

const callOf = (tool: Headless, story: Story, tools: readonly string[]): Call | undefined => {
	if (story !== 'human') return tool.run(push);
	const name = tools.find(one => one.endsWith('ask_human'));
	return name === undefined ? undefined : {name, input: {text: 'Which colour?', options: colours}};
};

type Question = {
	readonly traceId: string;
	readonly questionId: string;
	readonly source: string;
	readonly act?: {readonly command?: string};
};

type Stage = ToolColony & {
	/** Returns the condition, and records a fault if it is false. */
	readonly expectThat: (isTrue: boolean, words: string) => boolean;
};

/** Lets runs of the tool wait for a person in each of these stories, with a reactor that comes and goes. */
export const proveWaiting = async (
	tool: Headless,
	{stage, place, command, told}: {stage: Stage; place: Place; command: string; told: Told},
): Promise<WaitingProof> => {
	const {own = [], protocol = []} = meansOf[tool.name] ?? {};
	const proof: Record<Story, boolean | undefined> = {...waitedForNothing};
	const play = async (colony: Stage, wanted: readonly Story[]) => {
		for (const story of wanted) proof[story] = (await prove(colony, told, story)) && proof[story] !== false;
	};
	await play(stage, own);
	if (protocol.length === 0) return proof;
	const home = join(place.home, 'protocol');
	const another = {...place, home, workspace: join(home, 'work')};
	const byProtocol = await createColonyOf(tool, another, command, '--acp');
	await play({...byProtocol, expectThat: stage.expectThat}, protocol);
	return proof;
};

const prove = async ({ask, hive, expectThat}: Stage, told: Told, story: Story): Promise<boolean> => {
	delete told[story];
	await ask('task', 'create', '--trace', story, '--task', story, '--body', bodies[story]);
	const reactor = () => hive('run', '--until-idle', '--timeout', '3m');
	const {stdout, stderr} = await reactor();
	const {questions} = await ask<{questions: readonly Question[]}>('question', 'list');
	const question = questions.find(({traceId}) => traceId === story);
	if (question === undefined)
		return expectThat(false, `${story} asks nothing: ${(stderr + stdout).slice(-600)}`);
	const isKnown = expectThat(
		story === 'human'
			? question.source === 'choice'
			: question.source === 'permission' && question.act?.command === push,
		`${story} is asked as ${JSON.stringify(question)}`,
	);
	await ask('answer', question.questionId, ...answers[story]);
	await reactor();
	const result = told[story] ?? '';
	const isTold = expectThat(expected[story](result), `${story} ended with ${result.slice(-600)}`);
	return isKnown && isTold;
};

const answers: Readonly<Record<Story, readonly string[]>> = {
	human: ['--option', '2'],
	granted: ['--option', '1'],
	denied: ['--body', reason],
};

const expected: Readonly<Record<Story, (result: string) => boolean>> = {
	human: result => result.includes('Blue'),
	granted: result => pushed.test(result),
	denied: result => !pushed.test(result) && result.includes(reason),
};
