import type {InitInput, InitReport} from '../host/host.ts';
import {askLine, canAsk} from './ask-line.ts';
import type {CommandContext} from './command-context.ts';

/**
 * Asks the person at the terminal what only they can decide before a colony is made: whether they accept
 * plans, whether proposals are checked with the project's tests, which run once first, and whether bees
 * change their tool. Elsewhere returns the input as it is.
 */
export const askBefore = async (context: CommandContext, input: InitInput): Promise<InitInput> => {
	if (context.json || !canAsk()) return input;
	const planned = await context.init({...input, dryRun: true});
	// The real init reports the refusal, and asks about it.
	if (!planned.ok) return input;
	const {tests, retooled} = planned.value;
	if (retooled.length > 0) {
		const list = retooled.map(({path, from, to}) => `  ${path}: ${from} -> ${to}\n`).join('');
		return (await agrees(context, `Change the agent tool of these bees?\n${list}[y/n] `))
			? input
			: {...input, agent: undefined};
	}
	const asked = planned.value.agent === undefined ? input : await askAboutPlans(context, input);
	if (tests === undefined || asked.verifies) return asked;
	const question = `${tests.file} names a test command: ${tests.command.join(' ')}
It would run once now, on a clean copy of the last commit, for at most two minutes.
Check every proposal and merge with it? [y/n] `;
	if (!(await agrees(context, question))) return asked;
	process.stderr.write('Running them…\n');
	const tried = await context.tryTests([...tests.setup, tests.command], context.signal);
	if (tried.passed) {
		process.stderr.write('They pass.\n');
		return {...asked, verifies: true};
	}
	process.stderr.write(`${tried.tail.trimEnd()}\nNot switched on: ${tried.reason}.\n`);
	return {...asked, unverified: tried.reason};
};

const askAboutPlans = async (context: CommandContext, input: InitInput): Promise<InitInput> => ({
	...input,
	reviewsPlans: await agrees(
		context,
		'A scout plans each request as tasks. Accept each plan yourself before its tasks start? [y/n] ',
	),
});

/**
 * Offers to commit the files of a new colony, since other clones need them. Returns true if that was done.
 */
export const askToCommit = async (context: CommandContext, {agent}: InitReport): Promise<boolean> => {
	if (agent === undefined || context.json || !canAsk()) return false;
	if (!(await agrees(context, 'Commit .hive/ now? Other clones need it. [y/n] '))) return false;
	const problem = await context.commitColony(context.signal);
	process.stderr.write(problem === undefined ? 'Committed .hive/.\n' : `Not committed: ${problem}\n`);
	return problem === undefined;
};

/** What a person should know of a new colony before its first run. */
export const formatTrust = (
	{tests, asks}: Pick<InitReport, 'tests' | 'asks'>,
	isCommitted: boolean,
): string =>
	[
		'Agents work in a worktree for each trace; your branch changes only when you approve.',
		asks
			? 'There they edit files and run commands as you. The builder asks you before it pushes or publishes.'
			: 'There they edit files and run commands as you, without asking.',
		'Where this machine can contain them, they reach little else: "hive contain show builder" lists it.',
		formatTests(tests),
		...(isCommitted ? [] : ['Commit .hive/, so that other clones are the same colony.']),
		'',
	].join('\n');

const formatTests = (tests: InitReport['tests']): string => {
	if (tests === undefined)
		return 'No test command was found: "verify" in .hive/colony.yaml has hive check every proposal.';
	const name = `"${tests.command.join(' ')}" (${tests.file})`;
	return tests.verifies
		? `Every proposal and merge is checked with ${name}.`
		: `Proposals are not checked with ${name}: "verify" in .hive/colony.yaml is a comment.`;
};

const agrees = async ({signal}: CommandContext, question: string): Promise<boolean> =>
	decisionOf(await askLine(question, signal)) === true;

/** Undefined if it is no clear answer. */
export const decisionOf = (answer: string | undefined): boolean | undefined =>
	decisions.get(answer?.trim().toLowerCase() ?? '');

const decisions: ReadonlyMap<string, boolean> = new Map([
	['y', true],
	['yes', true],
	['n', false],
	['no', false],
]);
