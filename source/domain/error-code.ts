/** The code of an operating system error, such as `ENOENT`; `undefined` for other errors. */
export const errorCode = (error: unknown): string | undefined =>
	error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
