import {sanitizeLine} from '../domain/sanitize.ts';
import {type OutsideNote, type RunWarning, warningMark} from '../host/views/run.ts';
import type {Text} from './text.ts';

/** What hive warns of, on one line. */
export const warningLine = (text: string) => ({text: `! ${sanitizeLine(text)}`, style: 'attention'}) as const;

/** Warnings below a table, each with the run that it is about. */
export const warningLines = (warnings: readonly RunWarning[]): Exclude<Text, string> =>
	warnings.flatMap(({bee, agentId, text}) => ['\n', warningLine(`${bee} ${agentId}: ${text}`)]);

/** What was other outside of a workspace when its run ended, and took nothing away, on one line. */
export const outsideLine = (text: string) =>
	({text: `outside: ${sanitizeLine(text)}`, style: 'dim'}) as const;

export const outsideLines = (notes: readonly OutsideNote[]): Exclude<Text, string> =>
	notes.filter(({isRed}) => !isRed).flatMap(({text}) => ['\n', outsideLine(text)]);

/** A cell with the mark of the warnings, where there are any. */
export const withWarnings = (cell: string, warnings: readonly unknown[]): string =>
	[cell, warningMark(warnings.length)].filter(Boolean).join(' ');
