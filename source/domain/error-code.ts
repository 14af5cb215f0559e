/** The code of an error of the operating system, as `ENOENT`; undefined for other errors. */
export const errorCode = (error: unknown): string | undefined =>
	error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
