import type {RunRecord} from '../../domain/run.ts';
import {awaitsPerson, isPaused, type Task, type TaskStatus} from '../../domain/task.ts';
import {isQuiet, lastActiveAt, type RunActivities} from '../../host/views/activity.ts';
import {localDate, localTime} from '../../host/views/local-time.ts';
import {paused, type RunStatusLabel} from '../../host/views/run.ts';
import type {ColourToken} from './line.ts';

const maxWholeIdLength = 16;

/** A short form of an id: up to 16 characters whole, longer ones as … and the last eight. */
export const shortId = (id: string): string => (id.length <= maxWholeIdLength ? id : `…${id.slice(-8)}`);

/** Glyph and colour of a state. The name of the state is always shown too. */
export const stateMarks: Readonly<
	Record<TaskStatus | RunStatusLabel, readonly [glyph: string, colour: ColourToken]>
> = {
	planned: ['·', 'dim'],
	ready: ['○', 'plain'],
	running: ['▶', 'info'],
	waiting_review: ['◆', 'accent'],
	completed: ['✓', 'good'],
	failed: ['✗', 'bad'],
	blocked: ['■', 'bad'],
	paused: ['‖', 'accent'],
	asked: ['?', 'accent'],
	'no change': ['◆', 'accent'],
	cancelled: ['⊘', 'dim'],
};

/** A task that waits for review has the accent colour only once it waits for a person, not for bees. */
export const taskMark = (task: Task): readonly [glyph: string, colour: ColourToken] => {
	const [glyph, colour] = stateMarks[isPaused(task) ? paused : task.status];
	return [glyph, task.status === 'waiting_review' && !awaitsPerson(task) ? 'info' : colour];
};

/** Elapsed minutes and seconds, with hours if any: `2:41`, `1:02:03`. */
const formatDuration = (durationMs: number): string => {
	const seconds = Math.max(0, Math.floor(durationMs / 1000));
	const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
	const tail = String(rest).padStart(2, '0');
	return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${tail}` : `${minutes}:${tail}`;
};

/**
 * Elapsed time of a run: `2:41`. It has no seconds if the last output is five minutes old: `12m`, `1h02m`.
 */
export const formatElapsed = (from: number, spokeAt: number, now: number): string => {
	if (!isQuiet(spokeAt, now)) return formatDuration(now - from);
	const minutes = Math.max(0, Math.floor((now - from) / 60_000));
	const rest = String(minutes % 60).padStart(2, '0');
	return minutes < 60 ? `${minutes}m` : `${Math.floor(minutes / 60)}h${rest}m`;
};

/** A future time: `14:02` if it is less than 24 hours away, else whole days: `3d`. */
export const formatUntil = (at: string, now: number): string => {
	const days = Math.floor((Date.parse(at) - now) / 86_400_000);
	return days >= 1 ? `${days}d` : localTime(at).slice(0, -3);
};

/** A future time with the time until then: `14:02, in 12m`, `16:30, in 2h05m`, `3d`. */
export const formatCountdown = (at: string, now: number): string => {
	const until = formatUntil(at, now);
	const minutes = Math.ceil((Date.parse(at) - now) / 60_000);
	if (until.endsWith('d')) return until;
	if (minutes < 1) return `${until}, now`;
	const rest = String(minutes % 60).padStart(2, '0');
	return `${until}, in ${minutes < 60 ? `${minutes}m` : `${Math.floor(minutes / 60)}h${rest}m`}`;
};

/** Age in one unit: `<1m`, `6m`, `2h`, `3d`. */
export const formatAge = (from: string, now: number): string => {
	const at = Date.parse(from);
	if (Number.isNaN(at)) return '-';
	const seconds = Math.max(0, Math.floor((now - at) / 1000));
	if (seconds < 60) return '<1m';
	if (seconds < 3600) return `${Math.floor(seconds / 60)}m`;
	return seconds < 86_400 ? `${Math.floor(seconds / 3600)}h` : `${Math.floor(seconds / 86_400)}d`;
};

/** Local time of day. */
export const formatTime = (at: string | number): string =>
	Number.isNaN(new Date(at).getTime()) ? '--:--:--' : localTime(at);

/** Local time of day, preceded by the date if it is not the day of `now`. */
export const formatMoment = (at: string | number, now: number): string =>
	localDate(at) === localDate(now) ? formatTime(at) : `${localDate(at)} ${formatTime(at)}`;

/** Width of a time of day, in terminal cells. */
export const timeWidth = '14:02:09'.length;

export const formatRunTime = (run: RunRecord, activities: RunActivities, now: number): string => {
	const from = Date.parse(run.startedAt);
	if (run.finishedAt !== undefined) return formatDuration(Date.parse(run.finishedAt) - from);
	return formatElapsed(from, lastActiveAt(run, activities), now);
};

/** `1,204` */
export const formatNumber = (count: number): string => String(count).replaceAll(/\B(?=(\d{3})+$)/g, ',');

/**
 * What remains of a honey reserve, as a bar: `███████░░░░░`. A reserve that is not empty has at least one
 * full cell.
 */
export const renderHoneyBar = (remaining: number, budget: number, cells: number): string => {
	const share = budget > 0 ? Math.min(1, remaining / budget) : Number(remaining > 0);
	const full = remaining > 0 ? Math.max(1, Math.round(share * cells)) : 0;
	return '█'.repeat(full) + '░'.repeat(cells - full);
};
