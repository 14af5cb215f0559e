// The parts of highlight.js that hive uses. Its own types would give browser types to all code that runs on
// Node.

/** Only highlight.js creates and reads it. */
export type Grammar = {readonly kind: unique symbol};

type Highlighter = {
	readonly newInstance: () => Highlighter;
	readonly registerLanguage: (name: string, grammar: Grammar) => void;
	/** Finds a language by its name or an alias. */
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
