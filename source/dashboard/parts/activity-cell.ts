import {formatActivity, isQuiet, type RunActivity} from '../../host/views/activity.ts';
import {formatElapsed} from './format.ts';
import type {CellText} from './row-line.ts';

/** A spinner that advances each drawn second, and stops while the run is quiet. */
const spinnerFrames = ['⠋', '⠙', '⠸', '⠴', '⠦', '⠇'];

/**
 * A run's current step with the time since its last output, and its usage so far: `⠸ 0:12 Edit src/a.ts ·
 * $0.04`.
 */
export const activityCell = (activity: RunActivity, used: string, now: number): CellText => {
	const {spokeAt} = activity;
	const frame = spinnerFrames[isQuiet(spokeAt, now) ? 0 : Math.floor(now / 1000) % spinnerFrames.length];
	const at = `${frame} ${formatElapsed(spokeAt, spokeAt, now)} ${formatActivity(activity)}`.trimEnd();
	return [at, 'dim', [used, 'dim']];
};
