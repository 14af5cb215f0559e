import {proposedIn} from '../../source/domain/proposal-kind.ts';
import type {Task} from '../../source/domain/task.ts';
import {type Fold, openedBy} from './invariants.ts';
import {deedsOf, marksAt, type Played, runsOn} from './played.ts';
import type {Deed} from './work.ts';

/**
 * A run that ends well proposes the changes of its task's runs since the last judged proposal. These include
 * failed and killed runs, and exclude changes of other tasks.
 */
export const misproposed = (played: Played): string[] => {
	const runs = runsOn(played);
	const deeds = deedsOf(played);
	const own = createUnjudged();
	const proposed = new Map<string, string>();
	return played.folds.flatMap(fold => {
		const {event, after} = fold;
		own.follow(fold);
		if (proposedIn(event.payload.kind) !== undefined)
			proposed.set(event.agentId ?? '', String(event.payload.diff));
		if (event.payload.kind !== 'run.finished' || event.payload.status !== 'completed') return [];
		const agentId = String(event.payload.agentId);
		const run = runs.get(agentId);
		if (run?.launch?.capture === undefined) return [];
		const authors = own.of(fold, agentId).filter(author => {
			const launch = runs.get(author)?.launch;
			return launch?.capture !== undefined && launch.workspace === run.launch?.workspace;
		});
		const left = marksAt(played, run.after);
		const due = changeBy(new Set([...authors, agentId]), deeds, left);
		const diff = proposed.get(agentId) ?? '';
		const isSame = due.toSorted().join(' ') === diff.split(' ').toSorted().join(' ');
		const {taskId} = after.runs.get(agentId) ?? {};
		return isSame
			? []
			: [`${event.sequence}: run ${agentId} of ${taskId} proposed "${diff}" instead of "${due.join(' ')}"`];
	});
};

/** Returns the marks that these runs added and removed, if that still holds. */
const changeBy = (
	agentIds: ReadonlySet<string>,
	deeds: readonly Deed[],
	left: ReadonlySet<string>,
): string[] => {
	const done = deeds.filter(({agentId}) => agentIds.has(agentId));
	const made = new Set(done.filter(({isMade}) => isMade).map(({mark}) => mark));
	return done
		.filter(({mark, isMade}) => (isMade ? left.has(mark) : !made.has(mark)))
		.map(({mark, isMade}) => `${isMade ? '+' : '-'}${mark}`);
};

/** Tracks, by task, the runs since the one whose proposal was last judged. */
const createUnjudged = () => {
	const tasks = new Map<string, readonly string[]>();
	const nameOf = ({event}: Fold, taskId: string | undefined) => `${event.traceId} ${taskId}`;
	const of = (fold: Fold, agentId: string): readonly string[] =>
		tasks.get(nameOf(fold, fold.after.runs.get(agentId)?.taskId)) ?? [];
	return {
		of,
		follow: (fold: Fold): void => {
			const opened = openedBy(fold);
			const {taskId} = fold.after.runs.get(opened ?? '') ?? {};
			if (opened !== undefined && taskId !== undefined)
				tasks.set(nameOf(fold, taskId), [...of(fold, opened), opened]);
			for (const task of judgedBy(fold)) {
				const runs = tasks.get(nameOf(fold, task.taskId)) ?? [];
				tasks.set(nameOf(fold, task.taskId), runs.slice(runs.indexOf(task.proposal?.agentId ?? '') + 1));
			}
		},
	};
};

/** Returns the tasks whose newest proposal the event judges with a valid verdict. */
const judgedBy = ({event, before, after}: Fold): Task[] =>
	[...before.tasks.values()].filter(
		({taskId, proposal}) =>
			proposal !== undefined && after.tasks.get(taskId)?.verdict?.sequence === event.sequence,
	);
