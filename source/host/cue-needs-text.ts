import type {Colony} from '../colony/colony.ts';
import {needsText} from '../colony/cues.ts';

/** True if the cue cannot be run without a text. */
export const cueNeedsText = ({cues}: Pick<Colony, 'cues'>, id: string): boolean => {
	const cue = cues.get(id);
	return cue !== undefined && needsText(cue);
};
