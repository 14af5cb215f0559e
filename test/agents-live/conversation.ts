/** A request of a tool to its model. */
export type Asked = {
	/** The text of the last message. */
	readonly last: string;
	/** True if the last message is the result of a tool call. */
	readonly isResult: boolean;
	/** The names of the tools that the model may call. */
	readonly tools: readonly string[];
	/** The whole request, as JSON. */
	readonly whole: string;
};

export type Call = {readonly name: string; readonly input: object};

/** Text, sent in parts, and optional calls. */
export type Answer = {
	readonly parts: readonly string[];
	readonly calls?: readonly Call[];
	/** True if no part waits for a signal. */
	readonly isToldAtOnce?: boolean;
};

/** An error of a provider, in its own format. */
export type Refusal = {
	readonly status: number;
	readonly headers?: Readonly<Record<string, string>>;
	readonly body: object;
};

/** Creates an answer that is sent at once. */
export const say = (text: string, ...calls: readonly Call[]): Answer => ({
	...{parts: [text], calls, isToldAtOnce: true},
});

/** Returns a command that emits an event, as the prompts of a fresh colony describe it. */
export const emitting = (event: object): string =>
	`printf '%s' '${JSON.stringify(event)}' | "$HIVE" event emit --stdin`;

export type Reply = (asked: Asked) => Answer | Refusal;

export const firstWords = 'Tell me about bees';
export const secondWords = 'Which files are here';

/** The last sentences of the first parts, in order, and the final text. */
export const ends = ['So it begins.', 'So it goes on.', 'So it ends.'] as const;
export const lastWords = 'These were the files.';

const list = (from: number, count: number): string =>
	Array.from(
		{length: count},
		(_, at) => `- Bee ${from + at} visits **${(from + at) * 7} flowers**, *some* twice, \`each\` → once 🐝\n`,
	).join('');

const parts = [
	`# On bees\n\n${list(1, 12)}\n| Bee | Honey |\n| --- | ---: |\n| 蜜蜂 | 12 |\n| drone | 0 |\n\n`,
	`\`\`\`ts\nconst bees = (count: number): string => \`\${count} bees\`; // ${'z'.repeat(90)}\n\`\`\`\n\n${list(13, 20)}\n`,
	`> Said a bee: a\u0308e\u0301, 👩‍🌾, 🇫🇷 and ✅.\n\n1. One\n2. Two\n   - within it\n\n${list(33, 15)}\n`,
].map((text, at) => `${text}${ends[at]}\n\n`);

/** The names of the shell tool in each agent tool. */
const calls: Readonly<Record<string, object>> = {
	Bash: {command: 'ls', description: 'List the files'},
	bash: {command: 'ls'},
	exec_command: {cmd: 'ls'},
	shell_command: {command: 'ls'},
	shell: {command: ['ls']},
};

/** The model's side: a long story in three parts, one call, one line. Side requests get a short text. */
export const answerTo: Reply = ({last, isResult, tools}) => {
	const name = Object.keys(calls).find(known => tools.includes(known));
	if (name === undefined) return {parts: ['Bees']};
	if (isResult) return {parts: [`${lastWords}\n`]};
	if (last.includes(secondWords)) return {parts: ['I look.\n\n'], calls: [{name, input: calls[name] ?? {}}]};
	return {parts};
};
