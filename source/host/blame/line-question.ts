import * as z from 'zod/mini';

/** Maximum characters of a path, and maximum number of a line. */
const maxPathLength = 4096;
const maxLine = 100_000_000;

const objectId = z.string().check(z.regex(/^([0-9a-f]{40}|[0-9a-f]{64})?$/, 'is no id of git'));

/** Names a line of a change under review. */
export const lineQuestion = z.object({
	/** Path of the file on that side. */
	path: z.string().check(z.minLength(1), z.maxLength(maxPathLength), z.regex(/^[^\0]+$/)),
	side: z.enum(['old', 'new']),
	line: z.coerce.number().check(z.int(), z.minimum(1), z.maximum(maxLine)),
	/** The commit at which the work left its base; empty if it is not known. */
	fork: objectId,
	/** The tree of the work. */
	work: objectId,
	/** The old side of a diff that does not begin at the fork: a tree of earlier work. */
	before: z.optional(objectId),
});

export type LineQuestion = z.output<typeof lineQuestion>;
