import {exitCodes} from '../../domain/error-table.ts';
import {accepted} from '../../domain/errors.ts';
import {escapeHidden} from '../../domain/escape-hidden.ts';
import {formatCount} from '../../domain/format-count.ts';
import type {TortureReport, TortureStop} from '../../domain/torture.ts';
import {command} from '../command.ts';
import {decimal} from '../flags.ts';
import type {Text} from '../text.ts';

const defaultMinutes = 3;

export const torture = command({
	path: 'torture',
	summary: 'Play faults on a copy of this repository, and name what hive lost, doubled or left behind.',
	description: `
		Copies the last commit into a temporary folder, with scripted bees in place of agents, and needs no colony. Kills reactors, supervisors and approvals with kill -9, deletes worktrees, runs "git gc --prune=now", holds git's locks, and fills a disk of 64 MB of its own where user namespaces are allowed.
		Your repository is only read, and no process is touched that this command did not start. It ends within 30 seconds after its time. It needs 500 MB free beside the copy, and stops below that.
		Exit codes: 0 nothing was lost, doubled or left behind; 1 something was, and the folder stays; 4 too little space; 124 the work did not come to rest in time.`,
	flags: {
		minutes: decimal({
			summary: `How long to play; 0.5 is half a minute. Default: ${defaultMinutes}.`,
			hint: '<n>',
			max: 24 * 60,
		}),
	},
	examples: ['torture', 'torture --minutes 0.5 --json'],
	json: '{v, ok, seconds, stopped: space|time|signal|null, rounds, tasks: {planned, completed, tracesMerged}, faults: {reactorsKilled, supervisorsKilled, approvalsKilled, worktreesDeleted, cleanUps, indexLocks, refLocks}, fullDisk: {played, reason?}, checked, lost, doubled, left, folder?}',
	run: async ({minutes = defaultMinutes}, context) => {
		const played = await context.torture(minutes, context.signal);
		if (!played.ok) return played;
		const report = played.value;
		const isRight = [report.lost, report.doubled, report.left].every(list => list.length === 0);
		const {seconds, stopped, ...rest} = report;
		return accepted({
			json: {ok: isRight && stopped === undefined, seconds, stopped: stopped ?? null, ...rest},
			text: render(report),
			exit: isRight ? exitOf(stopped) : exitCodes.failed,
		});
	},
});

const exitOf = (stopped: TortureStop | undefined): number => {
	switch (stopped) {
		case undefined:
			return exitCodes.done;
		case 'space':
			return exitCodes.refused;
		case 'time':
			return exitCodes.timeout;
		case 'signal':
			return exitCodes.interrupted;
	}
};

const stops: Readonly<Record<TortureStop, string>> = {
	space: 'Stopped early: less than 500 MB were free.',
	time: 'Stopped: the work did not come to rest in time. Give it more minutes.',
	signal: 'Stopped by a signal.',
};

/** Ten lines. */
const render = ({
	seconds,
	stopped,
	rounds,
	tasks,
	faults,
	fullDisk,
	checked,
	lost,
	doubled,
	left,
	folder,
}: TortureReport): Text => {
	const kills = [
		formatCount(faults.reactorsKilled, 'reactor'),
		formatCount(faults.supervisorsKilled, 'supervisor'),
		formatCount(faults.approvalsKilled, 'approval'),
	];
	const work = [
		`${tasks.completed} of ${formatCount(tasks.planned, 'task')} completed`,
		`${formatCount(tasks.tracesMerged, 'trace')} merged`,
	];
	return [
		`Played for ${seconds} s in ${formatCount(rounds, 'round')}: ${work.join(', ')}.`,
		`Killed: ${kills.join(', ')}.`,
		`Deleted: ${formatCount(faults.worktreesDeleted, 'worktree')}.`,
		`Cleaned up: ${formatCount(faults.cleanUps, 'time')} with "git gc --prune=now".`,
		`Locked: ${formatCount(faults.indexLocks, 'index', 'indexes')}, ${formatCount(faults.refLocks, 'ref')}.`,
		fullDisk.played
			? 'Full disk: the work went on once there was space.'
			: `Full disk: left out, ${fullDisk.reason}.`,
		`Lost: ${listed(lost, checked)}`,
		`Doubled: ${listed(doubled, checked)}`,
		`Left behind: ${listed(left, checked)}`,
		stopped === undefined ? resultOf(folder) : stops[stopped],
	].join('\n');
};

const resultOf = (folder: string | undefined): string =>
	folder === undefined ? 'All came to rest; the copy was removed.' : `The copy stays in ${folder}.`;

/** Most findings in one line. */
const mostListed = 3;

const listed = (findings: readonly string[], checked: boolean): string => {
	if (findings.length === 0) return checked ? 'nothing.' : 'not checked.';
	const shown = findings.slice(0, mostListed).map(escapeHidden).join(' ');
	const more = findings.length - mostListed;
	return more > 0 ? `${shown} And ${more} more; see --json.` : shown;
};
