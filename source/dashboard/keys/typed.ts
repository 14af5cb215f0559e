/** What comes from the keyboard. */
export type Typed =
	/**
	 * `name` is what the key table says: `a`, `K`, `up`, `ctrl+c`, `shift+tab`. `text` is what it would type.
	 */
	| {readonly kind: 'key'; readonly name: string; readonly text?: string}
	| {readonly kind: 'paste'; readonly text: string};
