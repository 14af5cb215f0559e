import {ctrlKey} from '../../screen/detach-key.ts';

/** The key that gives the keyboard back. */
export const leaveKey = ctrlKey(']');
