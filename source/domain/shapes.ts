import * as z from 'zod/mini';
import {idRule, isName} from './ids.ts';

/** The message for a value of the wrong type; a missing value has its own. */
export const expected =
	(what: string) =>
	({input}: {readonly input?: unknown}): string =>
		input === undefined ? 'required' : `must be ${what}`;

export const text = z.string({error: expected('text')});

/** An id that follows docs/rules.md §10. */
export const id = text.check(z.refine(isName, {error: `must be ${idRule}`}));
