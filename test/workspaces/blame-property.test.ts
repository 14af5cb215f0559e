import fc from 'fast-check';
import {expect, test} from 'vitest';
import type {ActionContext} from '../../source/actions/context.ts';
import {expectAccepted} from '../../source/domain/errors.ts';
import type {Payload} from '../../source/domain/event.ts';
import {landingStrategies} from '../../source/domain/landing.ts';
import {createMemoryBus} from '../../source/drivers/memory-bus.ts';
import {explainLines} from '../../source/host/blame/blame.ts';
import {explainChangedLine} from '../../source/host/blame/changed-line.ts';
import {mergeTrace} from '../../source/workspaces/merge/merge.ts';
import {previewMerge} from '../../source/workspaces/merge/preview.ts';
import {captureTree} from '../../source/workspaces/trees/tree.ts';
import {ensureWorktree, removeWorktree} from '../../source/workspaces/worktree/worktree.ts';
import {createRepository, openRepository} from '../helpers/repository.ts';
import {git} from './scene.ts';

/** `npm run prove-blame` sets 500 rounds. */
const rounds = Number(process.env.HIVE_BLAME_ROUNDS ?? 2);
/** One strategy for all merges. By default they take turns. */
const strategies = landingStrategies.filter(known => (process.env.HIVE_STRATEGY ?? known) === known);

const paths = ['a.txt', 'b.txt'];
const traceIds = ['t-1', 't-2', 't-3'];

/** A place in a file, the number of lines that go, and the number that come. */
const edit = fc.record({
	path: fc.constantFrom(...paths),
	at: fc.nat({max: 1000}),
	gone: fc.nat({max: 3}),
	come: fc.nat({max: 3}),
});
const edits = fc.array(edit, {minLength: 1, maxLength: 4});
const step = fc.oneof(
	{weight: 6, arbitrary: fc.record({by: fc.constant('run'), trace: fc.nat({max: 2}), edits})},
	{weight: 1, arbitrary: fc.record({by: fc.constant('hand'), trace: fc.nat({max: 2}), edits})},
	{weight: 1, arbitrary: fc.record({by: fc.constant('person'), trace: fc.nat({max: 2}), edits})},
	{weight: 4, arbitrary: fc.record({by: fc.constant('merge'), trace: fc.nat({max: 2}), edits})},
);

type Edit = {readonly path: string; readonly at: number; readonly gone: number; readonly come: number};
type Step = {readonly by: string; readonly trace: number; readonly edits: readonly Edit[]};

/** The run and the trace of a line; empty for a person, and for the first commit. */
type Writer = {readonly traceId: string; readonly agentId: string};

test('each line belongs to the run that wrote it, whatever traces and people do to the same files', async () => {
	await fc.assert(fc.asyncProperty(fc.array(step, {minLength: 8, maxLength: 16}), tellsWriters), {
		numRuns: rounds,
		endOnFailure: rounds < 100,
	});
});

const tellsWriters = async (steps: readonly Step[]): Promise<void> => {
	const story = await createStory();
	for (const one of steps) await story.take(one);
	for (const traceId of traceIds)
		for (const {told, written} of await story.review(traceId)) expect(told).toEqual(written);
	for (const trace of traceIds.keys()) await story.take({by: 'merge', trace, edits: []});
	for (const path of paths) expect(await story.told(path)).toEqual(await story.written(path));
};

/** The line in the middle, if there is any: each question starts several processes. */
const some = (lines: readonly string[]): readonly string[] =>
	lines.slice(lines.length >> 1, (lines.length >> 1) + 1);

const createStory = async () => {
	const first = Object.fromEntries(
		paths.map(path => [path, Array.from({length: 20}, (_, at) => `${path} ${at}\n`).join('')]),
	);
	const repository = await createRepository({'.hive/.gitignore': 'worktrees/\nruns/\n', ...first});
	const {root} = repository;
	let count = 0;
	const next = (): number => {
		count += 1;
		return count;
	};
	const begin = Date.parse('2026-01-01T00:00:00Z');
	const clock = {now: () => begin + 1000 * next()} as Parameters<typeof createMemoryBus>[0]['clock'];
	const bus = createMemoryBus({clock});
	const writers = new Map<string, Writer>();
	const append = async (traceId: string, payload: Payload, agentId = 'runtime'): Promise<void> => {
		await bus.append(
			{traceId, agentId, type: 'SIGNAL', payload, energyBudget: 1000},
			{id: `event-${next()}`},
		);
	};
	for (const traceId of traceIds)
		await append(traceId, {kind: 'task.plan', tasks: [{taskId: 'work', title: 'Work', dependsOn: []}]});
	const apply = async (folder: string, all: readonly Edit[], writer: Writer): Promise<void> => {
		const checkout = openRepository(folder);
		for (const {path, at, gone, come} of all) {
			const lines = (await checkout.read(path)).split('\n').slice(0, -1);
			const made = Array.from({length: come}, () => `line ${next()}`);
			for (const text of made) writers.set(text, writer);
			lines.splice(at % (lines.length + 1), gone, ...made);
			await checkout.write(path, lines.map(text => `${text}\n`).join(''));
		}
	};
	const worktreeOf = async (traceId: string): Promise<string> =>
		expectAccepted(await ensureWorktree({git}, {root, traceId})).path;
	const merge = async (traceId: string): Promise<void> => {
		const strategy = strategies[count % strategies.length];
		const preview = expectAccepted(await previewMerge(git, {root, traceId}));
		if (preview.tree === '' || preview.empty) return;
		const {tree} = preview;
		const request = {root, traceId, tree, subject: 'Merge', body: '', strategy};
		const {commit} = expectAccepted(await mergeTrace(git, request));
		const taskId = `gate-${next()}`;
		await append(traceId, {
			kind: 'task.plan',
			tasks: [{taskId, title: 'Gate', review: 'final', dependsOn: []}],
		});
		await append(traceId, {kind: 'task.status', taskId, status: 'waiting_review', summary: ''});
		await append(traceId, {kind: 'merge.started', taskId, tree, by: 'human', strategy}, 'human');
		await append(
			traceId,
			{kind: 'task.completed', taskId, status: 'completed', summary: '', commit},
			'human',
		);
		expectAccepted(await removeWorktree(git, {root, traceId, disposable: []}));
	};
	const run = async (traceId: string, all: readonly Edit[]): Promise<void> => {
		const agentId = `run-${next()}`;
		const workspace = await worktreeOf(traceId);
		const claim = {agentId, bee: 'builder', trigger: 1, place: 'here', workspace: 'isolated', amount: 1};
		await append(traceId, {kind: 'energy.consume', reason: 'task.dispatch', ...claim});
		const before = await captureTree(git, workspace);
		await apply(workspace, all, {traceId, agentId});
		const trees = {before, after: await captureTree(git, workspace)};
		const end = {agentId, bee: 'builder', status: 'completed', exitCode: 0, summary: '', trees};
		await append(traceId, {kind: 'run.finished', ...end});
	};
	const take = async ({by, trace, edits: all}: Step): Promise<void> => {
		const traceId = traceIds[trace] ?? '';
		if (by === 'run') return run(traceId, all);
		if (by === 'merge') return merge(traceId);
		if (by === 'hand') return apply(await worktreeOf(traceId), all, {traceId, agentId: ''});
		await apply(root, all, {traceId: '', agentId: ''});
		await repository.git(['commit', '--quiet', '--allow-empty', '--all', '--message', 'By a person']);
	};
	const files = {read: async () => undefined};
	const context = {git, bus, colony: {root}, files, checkout: 'here'} as unknown as ActionContext;
	const linesOf = async (path: string, folder = root) =>
		(await openRepository(folder).read(path)).split('\n').slice(0, -1);
	/** Asks about some lines of each kind in the change that the trace would merge. */
	const review = async (traceId: string) => {
		const folder = await worktreeOf(traceId);
		const work = await captureTree(git, folder);
		const fork = (await git.run(['merge-base', 'main', 'HEAD'], {cwd: folder})).trim();
		const tell = async (path: string, side: 'old' | 'new', text: string, line: number) => {
			const question = {path, side, line, fork, work};
			const {traceId: told, agentId} = expectAccepted(await explainChangedLine(context, {traceId}, question));
			return {
				told: {text, traceId: told, agentId},
				written: {text, ...(writers.get(text) ?? {traceId: '', agentId: ''})},
			};
		};
		const answers: Awaited<ReturnType<typeof tell>>[] = [];
		for (const path of paths) {
			const now = await linesOf(path, folder);
			const before = (await git.run(['show', `${fork}:${path}`], {cwd: root})).split('\n').filter(Boolean);
			const [asked, old] = [some(now.filter(text => !before.includes(text))), some(before)];
			for (const text of asked) answers.push(await tell(path, 'new', text, now.indexOf(text) + 1));
			for (const text of old) answers.push(await tell(path, 'old', text, before.indexOf(text) + 1));
		}
		return answers;
	};
	return {
		take,
		review,
		told: async (path: string) =>
			(await linesOf(path)).length === 0
				? []
				: expectAccepted(await explainLines(context, {path})).map(({text, traceId, agentId}) => ({
						...{text, traceId, agentId},
					})),
		written: async (path: string) =>
			(await linesOf(path)).map(text => ({text, ...(writers.get(text) ?? {traceId: '', agentId: ''})})),
	};
};
