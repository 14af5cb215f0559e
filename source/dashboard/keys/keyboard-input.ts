/** Keyboard input. */
export type KeyboardInput =
	/**
	 * `name` is the key's name in the key table: `a`, `K`, `up`, `ctrl+c`, `shift+tab`. `text` is the text it
	 * would type.
	 */
	| {readonly kind: 'key'; readonly name: string; readonly text?: string}
	| {readonly kind: 'paste'; readonly text: string};
