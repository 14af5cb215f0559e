/**
 * Words of hive, which stand as they are; words of others, which never become markup or links; and what hive
 * itself links to.
 */
export type Part =
	| string
	| {readonly said: string}
	| {readonly strong: string}
	| {readonly link: string; readonly href: string};

/** `data` comes back when it is pressed; at most 64 bytes. */
export type Button = {readonly data: string; readonly label: string};

/** What a channel shows: one message, which can be shown anew. */
export type Message = {
	readonly parts: readonly Part[];
	/** In rows. */
	readonly buttons: readonly (readonly Button[])[];
	/** It makes no sound. */
	readonly silent: boolean;
};

/** The words alone. */
export const plainWords = (parts: readonly Part[]): string =>
	parts
		.map(part => {
			if (typeof part === 'string') return part;
			if ('said' in part) return part.said;
			return 'strong' in part ? part.strong : `${part.link}: ${part.href}`;
		})
		.join('');
