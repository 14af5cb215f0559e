/**
 * A string is text of hive, shown as it is. `said` is text from agents, files or other people, which never
 * becomes markup or links. `link` is a link that hive itself makes.
 */
export type Part =
	| string
	| {readonly said: string}
	| {readonly strong: string}
	| {readonly link: string; readonly href: string};

/** `data` comes back when the button is pressed; max 64 bytes. */
export type Button = {readonly data: string; readonly label: string};

/** A message of a channel. It can be updated. */
export type Message = {
	readonly parts: readonly Part[];
	/** Rows of buttons. */
	readonly buttons: readonly (readonly Button[])[];
	/** True if it makes no sound. */
	readonly silent: boolean;
};

/** The message as plain text. */
export const plainText = (parts: readonly Part[]): string =>
	parts
		.map(part => {
			if (typeof part === 'string') return part;
			if ('said' in part) return part.said;
			return 'strong' in part ? part.strong : `${part.link}: ${part.href}`;
		})
		.join('');
