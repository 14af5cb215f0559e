import {containmentLabel} from '../domain/containment.ts';
import {sanitizeLine} from '../domain/sanitize.ts';
import {type OutsideNote, type RunWarning, warningMark} from '../host/views/run.ts';
import type {Text} from './text.ts';

/** A warning of hive, on one line. */
export const warningLine = (text: string) => ({text: `! ${sanitizeLine(text)}`, style: 'attention'}) as const;

/** Warnings below a table, each with its run. */
export const warningLines = (warnings: readonly RunWarning[]): Exclude<Text, string> =>
	warnings.flatMap(({bee, agentId, text}) => ['\n', warningLine(`${bee} ${agentId}: ${text}`)]);

/** A change outside of a workspace, seen when its run ended, that removed nothing; on one line. */
export const outsideLine = (text: string) =>
	({text: `outside: ${sanitizeLine(text)}`, style: 'dim'}) as const;

export const outsideLines = (notes: readonly OutsideNote[]): Exclude<Text, string> =>
	notes.filter(({isRed}) => !isRed).flatMap(({text}) => ['\n', outsideLine(text)]);

/** A cell with the mark for its warnings, if there are any. */
export const withWarnings = (cell: string, warnings: readonly (string | RunWarning)[]): string =>
	[cell, containmentLabel({warnings: warnings.map(textOf)}), warningMark(warnings.length)]
		.filter(Boolean)
		.join(' ');

const textOf = (warning: string | RunWarning): string =>
	typeof warning === 'string' ? warning : warning.text;
