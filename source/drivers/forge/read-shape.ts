import * as z from 'zod/mini';
import {ForgeError} from '../../ports/forge.ts';

/** What every answer is read with: it has the documented shape, or the forge is at fault. */
export const readShape = <Shape extends z.ZodMiniType>(
	shape: Shape,
	value: unknown,
	forge: string,
): z.output<Shape> => {
	const read = z.safeParse(shape, value);
	if (read.success) return read.data;
	const {path = []} = read.error.issues[0] ?? {};
	const place = path.length === 0 ? '' : ` at ${path.join('.')}`;
	throw new ForgeError('invalid', `${forge} answers what it does not document${place}.`);
};

/** A commit's id, which is safe for git. */
export const commitId = z.string().check(z.regex(/^[0-9a-f]{40}([0-9a-f]{24})?$/));

/** A time in any form of RFC 3339, as UTC. */
export const instant = z.pipe(
	z.string().check(z.refine(text => !Number.isNaN(Date.parse(text)))),
	z.transform((text: string) => new Date(text).toISOString()),
);

export const words = z.string();
/** A text that may be missing. */
export const wordsIfAny = z.pipe(
	z.nullish(words),
	z.transform((text: string | null | undefined) => text ?? ''),
);
export const wholeNumber = z.int();
