import {existsSync, readFileSync} from 'node:fs';
import {mkdir, writeFile} from 'node:fs/promises';
import {join, resolve} from 'node:path';
import {persist} from './outages.ts';
import type {Bee, ScratchColony} from './scratch-colony.ts';

/** Asks by another implementation of MCP than that of hive. */
const agent = resolve('test/e2e/mcp/agent.mjs');

const text = 'Which format?';
export const options = ['JSON', 'YAML', 'TOML'] as const;

/** A run whose prompt has an answer notes it. Any other run asks. */
const noteOr = (asking: string): string => `told="$(sed -n 's/^The answer: //p' "$HIVE_PROMPT_FILE")"
if [ -n "$told" ]; then echo "$HIVE_TRACE_ID $told" >>"$HOME/told"; exit 0; fi
cd "$HOME/asks/$HIVE_TRACE_ID"
${asking}`;

const event = {
	type: 'SIGNAL',
	payload: {kind: 'human.question', questionId: 'q-$HIVE_TRACE_ID', text, options},
};

/** The question has an id of its own, so it is asked once however often the bus cannot be reached. */
const emitting = `while
	"$HIVE" event emit --stdin >emitted <<END
${JSON.stringify(event)}
END
	code=$?; [ $code -eq 6 ]
do sleep 0.2; done
[ $code -eq 0 ] || grep -q 'questionId is taken' emitted`;

const bee = {worktree: true, prompt_template: 'told.md'};

/** Bees that ask. The run of a waiter waits for the answer; that of a leaver ends. */
const bees: Readonly<Record<'waiter' | 'leaver', Bee>> = {
	waiter: {...bee, script: noteOr(`exec node ${agent} "$PWD"`)},
	leaver: {...bee, script: noteOr(emitting)},
};

export const askingScene = {bees, files: {'.hive/prompts/told.md': '{{.Task}}\n{{.Feedback}}\n'}};

export const titleOf = (name: string): string => `Question of ${name}`;

/** Plans a trace for each name, whose only run asks. The bees take turns. */
export const planQuestions = async (colony: ScratchColony, names: readonly string[]): Promise<void> => {
	for (const [index, name] of names.entries()) {
		const folder = join(colony.home, 'asks', name);
		await mkdir(folder, {recursive: true});
		await writeFile(join(folder, 'calls.json'), JSON.stringify([['ask_human', {text, options}]]));
		const tasks = [{taskId: 'work', title: titleOf(name), bee: index % 2 === 0 ? 'waiter' : 'leaver'}];
		const plan = ['task', 'create', '--trace', name, '--plan', '-'];
		const {exitCode, stdout, stderr} = await persist(colony, plan, JSON.stringify({tasks}));
		if (exitCode !== 0) throw new Error(`${name} is not planned: ${stdout}${stderr}`);
	}
};

type Listed = {readonly questions: readonly {readonly traceId: string; readonly questionId: string}[]};

/** Returns the open question of the trace, as the command lists it. */
export const questionOf = async (colony: ScratchColony, name: string): Promise<string | undefined> => {
	const {exitCode, stdout} = await colony.hive(['question', 'list', '--json']);
	if (exitCode !== 0) return undefined;
	const {questions}: Listed = JSON.parse(stdout);
	return questions.find(({traceId}) => traceId === name)?.questionId;
};

/** What the agents of the trace were told: by the call that waited, and in later prompts. */
export const toldOf = ({home, noted}: ScratchColony, name: string): readonly string[] => {
	const file = join(home, 'asks', name, 'results.json');
	const results: readonly {text: string; isError: boolean}[] = existsSync(file)
		? JSON.parse(readFileSync(file, 'utf8'))
		: [];
	return [
		...results.filter(({isError}) => !isError).map(result => result.text),
		...noted('told')
			.filter(line => line.startsWith(`${name} `))
			.map(line => line.slice(name.length + 1)),
	];
};
