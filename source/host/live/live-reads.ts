import {accepted} from '../../domain/errors.ts';
import {createInboxReader} from '../review/read-inbox.ts';
import type {createProgressReader} from '../review/run-progress.ts';
import {type Wait, whileStarting} from '../waits/waits.ts';
import type {FollowOptions} from './follow-colony.ts';
import type {LiveColony} from './live.ts';

/** One-time reads of a live colony, as opposed to its feeds. All but `inbox` load their code on first use. */
type Reads = Pick<
	LiveColony,
	| 'inbox'
	| 'searchSessions'
	| 'preview'
	| 'worktree'
	| 'sheetFacts'
	| 'reworkChoice'
	| 'waits'
	| 'detail'
	| 'progress'
	| 'history'
	| 'reviews'
	| 'examples'
	| 'configurationChanges'
	| 'compare'
	| 'lineOrigin'
	| 'lines'
>;

export const createLiveReads = ({
	context,
	ledger,
	host,
	ownReactor,
}: Pick<FollowOptions, 'context' | 'ledger' | 'host' | 'ownReactor'>): Reads => {
	const withStartingState = (waits: readonly Wait[]): readonly Wait[] =>
		ownReactor?.isStarting() ? whileStarting(waits) : waits;
	let readProgress: ReturnType<typeof createProgressReader> | undefined;
	return {
		inbox: createInboxReader(context, ledger),
		searchSessions: async (text, signal) => {
			const {searchSessions} = await import('../sessions/search-sessions.ts');
			const found = await searchSessions(context, text, signal);
			return found.map(({session}) => session.sessionId);
		},
		preview: async target => (await import('../review/preview.ts')).previewTask(context, target),
		worktree: async traceId => {
			const {openWorktree} = await import('../review/live-change.ts');
			const found = await openWorktree(context, ledger.snapshot(traceId));
			if (!found.ok) return found;
			return accepted({path: found.value, planted: (await context.injectedGitConfig?.()) ?? []});
		},
		reworkChoice: async (traceId, comments) => {
			const {readReworkChoice} = await import('../../actions/rework-choice.ts');
			return readReworkChoice(context, ledger.snapshot(traceId), comments);
		},
		sheetFacts: async ({traceId, taskId, withMerge}) => {
			const trace = ledger.snapshot(traceId);
			const {readFacts, readLogFacts} = await import('../review/read-sheet.ts');
			const read = withMerge ? readFacts : readLogFacts;
			return read(context, ledger.traces(), trace, trace.tasks.get(taskId));
		},
		waits: async ({traceId, taskId}) => {
			const trace = ledger.snapshot(traceId);
			const task = trace.tasks.get(taskId);
			const {readRequestWaits, readWaits} = await import('../waits/explain-task.ts');
			return withStartingState(
				task === undefined
					? await readRequestWaits(context, trace, ledger)
					: await readWaits(context, trace, task, ledger),
			);
		},
		detail: async target => {
			const {readDetail} = await import('../review/detail.ts');
			const facts = await readDetail(context, {ledger, secrets: await host.secrets()}, target);
			return {...facts, waits: withStartingState(facts.waits)};
		},
		progress: async (traceId, runs) => {
			const {createProgressReader, progressOf} = await import('../review/run-progress.ts');
			readProgress ??= createProgressReader(context, context.clock.now);
			return progressOf(readProgress, traceId, runs);
		},
		history: async traceId => (await import('../history.ts')).readHistory(context, traceId),
		reviews: {
			read: async () =>
				(await import('../review/review-memory.ts')).readReviewMemory(
					context.files,
					await host.machineFolder(),
				),
			write: async (memory, before) =>
				(await import('../review/review-memory.ts')).writeReviewMemory(
					context.files,
					await host.machineFolder(),
					memory,
					before,
				),
		},
		examples: async () => (await import('../read-examples.ts')).readExamples(context),
		configurationChanges: async () =>
			(await import('../configuration-changes.ts')).readConfigurationChanges(context),
		compare: async trees => (await import('../review/compare.ts')).compareTrees(context, trees),
		lineOrigin: async (subject, question) =>
			(await import('../blame/changed-line.ts')).explainChangedLine(context, subject, question),
		lines: async blob => (await import('../review/compare.ts')).readLines(context, blob),
	};
};
