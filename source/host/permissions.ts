import {refuseInsideRun} from '../actions/decide-and-append.ts';

/** Refuses inside a run: a permission is given and taken by a person. */
export const refuseForAgents = refuseInsideRun;
