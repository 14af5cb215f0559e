import {changedNothing, type RunRecord} from '../../domain/run.ts';

/** The summary of a run without the words that hive puts before it. */
export const wordsOfAgent = ({summary = '', noChange}: RunRecord): string =>
	noChange === undefined ? summary : summary.replace(new RegExp(`^${changedNothing}(\\.$|: )`), '');
