// What is used of highlight.js: its own types would have all that runs on Node know those of a browser.

/** Made and read by highlight.js alone. */
export type Grammar = {readonly kind: unique symbol};

type Highlighter = {
	readonly newInstance: () => Highlighter;
	readonly registerLanguage: (name: string, grammar: Grammar) => void;
	/** By its name or another that it is known by. */
	readonly getLanguage: (name: string) => object | undefined;
	readonly configure: (options: {readonly classPrefix: string}) => void;
	/** `value` is markup. */
	readonly highlight: (
		code: string,
		options: {readonly language: string; readonly ignoreIllegals: boolean},
	) => {readonly value: string; readonly errorRaised?: Error};
};

declare const core: Highlighter;
// biome-ignore lint/style/noDefaultExport: highlight.js has it so.
export default core;
