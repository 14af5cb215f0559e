export const consolePage: () => Promise<{
	readonly files: Readonly<
		Record<'/' | '/app.js' | '/page.css' | '/icon.svg', {readonly type: string; readonly text: string}>
	>;
}>;
