export const consolePage: () => Promise<{
	readonly files: Readonly<
		Record<'/' | '/app.js' | '/page.css' | '/icon.svg', {readonly type: string; readonly text: string}>
	>;
	/** What esbuild says of it: files that it was made of, by path. */
	readonly metafile: {readonly inputs: Readonly<Record<string, object>>};
}>;
