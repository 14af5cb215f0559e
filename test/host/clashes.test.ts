import {expect, it, onTestFinished, vi} from 'vitest';
import type {ActionContext} from '../../source/actions/context.ts';
import type {Trace} from '../../source/domain/trace.ts';
import {createSystemClock} from '../../source/drivers/clock.ts';
import {createFiles} from '../../source/drivers/files.ts';
import {createGit} from '../../source/drivers/git.ts';
import {createClashReader} from '../../source/host/live/clashes.ts';
import {followClashes} from '../../source/host/live/follow-clashes.ts';
import {type Clashes, noClashes} from '../../source/host/views/clashes.ts';
import type {Git} from '../../source/ports/git.ts';
import {recordBase} from '../../source/workspaces/merge/base.ts';
import {refsOf} from '../../source/workspaces/trees/refs.ts';
import {buildRun, buildTask, buildTrace} from '../dashboard/build-trace.ts';
import {createRepository} from '../helpers/repository.ts';
import {timeoutMs} from '../helpers/with-timeout.ts';

const lines = (...changed: readonly number[]): string =>
	Array.from({length: 12}, (_, index) =>
		changed.includes(index) ? `changed ${index}` : `line ${index}`,
	).join('\n');

/** Traces whose runs left work in a real repository, with a record of the git calls. */
const open = async () => {
	const repository = await createRepository({'a.txt': lines(), 'b.txt': 'b'});
	const asked: string[] = [];
	const real = createGit();
	const git: Git = {
		...real,
		attempt: (args, options) => {
			asked.push(args[0] ?? '');
			return real.attempt(args, options);
		},
	};
	const {root} = repository;
	// The tested code uses only these fields.
	const context = {
		...{git, colony: {root}, checkout: 'here', files: createFiles(), clock: createSystemClock()},
	} as unknown as ActionContext;
	const trace = async (traceId: string, text: string, state: 'runs' | 'waits' | 'over'): Promise<Trace> => {
		const refs = refsOf(traceId);
		const base = await repository.git(['rev-parse', 'main']);
		await repository.git(['switch', '--quiet', '--create', refs.branch]);
		await repository.write('a.txt', text);
		await repository.git(['commit', '--quiet', '--all', '--message', traceId]);
		const work = await repository.git(['rev-parse', 'HEAD']);
		await repository.git(['switch', '--quiet', 'main']);
		await repository.git(['update-ref', refs.work, work]);
		await repository.git(['update-ref', refs.head, base]);
		await recordBase(git, root, traceId, {ref: 'refs/heads/main', name: 'main', commit: base});
		const status = state === 'runs' ? 'running' : 'completed';
		const gate = {review: 'final', status: state === 'waits' ? 'waiting_review' : status} as const;
		return buildTrace(traceId, {
			tasks: [buildTask('a', {status}), buildTask('_review', gate)],
			runs: [buildRun('r', {workspace: 'isolated', status: 'completed', trees: {before: base, after: work}})],
		});
	};
	const readClashes = createClashReader(context);
	return {repository, context, trace, asked, read: (...all: Trace[]) => readClashes(all)};
};

it('clashes are found between live traces that change the same lines, and not with finished traces', async () => {
	const {trace, read} = await open();
	const one = await trace('one', lines(3), 'runs');
	const same = await trace('same', lines(2, 3, 4), 'waits');
	const apart = await trace('apart', lines(10), 'runs');
	const over = await trace('over', lines(3), 'over');
	expect(await read(one, same, apart, over)).toMatchObject({
		conflicts: new Map(),
		overlaps: [{traceIds: ['one', 'same'], paths: ['a.txt']}],
	});
});

it('a conflict of an open gate with its base is found, and is gone once the base changes back', async () => {
	const {repository, trace, read} = await open();
	const traces = [await trace('waits', lines(3), 'waits'), await trace('runs', lines(3), 'runs')];
	await repository.write('a.txt', lines(3).replace('changed', 'mine'));
	const commit = await repository.commit('Mine');
	const work = traces[0]?.runs.get('r')?.trees?.after;
	const {conflicts, bases} = await read(...traces);
	expect(conflicts).toEqual(new Map([['waits', {work, paths: ['a.txt']}]]));
	expect(bases).toEqual(new Map([['waits', commit]]));
	await repository.git(['reset', '--quiet', '--hard', `${commit}^`]);
	expect((await read(...traces)).conflicts).toEqual(new Map());
});

it('a second read of clashes makes no costly git calls', async () => {
	const {trace, read, asked} = await open();
	const traces = [await trace('one', lines(3), 'runs'), await trace('same', lines(3), 'waits')];
	const first = await read(...traces);
	const costly = (): number => asked.filter(name => name === 'merge-tree' || name === 'diff-tree').length;
	const before = costly();
	expect(before).toBe(3);
	expect(await read(...traces)).toEqual(first);
	expect(costly()).toBe(before);
});

it('traces without work here and traces of another checkout have no clashes', async () => {
	const {trace, read} = await open();
	const one = await trace('one', lines(3), 'runs');
	const away = {...(await trace('away', lines(3), 'runs')), place: 'another'};
	const bare = buildTrace('bare', {
		tasks: [buildTask('_review', {review: 'final', status: 'waiting_review'})],
	});
	expect(await read(one, away, bare)).toEqual(noClashes);
});

it('followed clashes are updated when a trace changes and when a person commits', async () => {
	const {repository, context, trace} = await open();
	// Create the traces first: the reader looks at the checked-out branch immediately.
	const made = [await trace('one', lines(3), 'runs'), await trace('same', lines(3), 'waits')];
	const over = new AbortController();
	onTestFinished(() => over.abort());
	const traces = new Map<string, Trace>();
	let tell = (): void => {};
	let shown: Clashes = noClashes;
	const shows = (clashes: Partial<Clashes>) =>
		vi.waitFor(() => expect(shown).toMatchObject(clashes), {timeout: timeoutMs});
	void followClashes({
		context,
		ledger: {traces: () => traces},
		moved: (_signal, call) => {
			tell = call;
		},
		signal: over.signal,
		call: clashes => {
			shown = clashes;
		},
	});
	for (const one of made) traces.set(one.traceId, one);
	tell();
	await shows({overlaps: [{traceIds: ['one', 'same'], paths: ['a.txt']}]});
	await repository.write('a.txt', lines(3).replace('changed', 'mine'));
	await repository.commit('Mine');
	const work = traces.get('same')?.runs.get('r')?.trees?.after ?? '';
	await shows({conflicts: new Map([['same', {work, paths: ['a.txt']}]])});
});
