import type {Answer, Asked, Call} from './conversation.ts';

/** An answer with unique ids. */
export type Told = Omit<Answer, 'calls'> & {
	readonly id: string;
	readonly calls: readonly (Call & {readonly id: string})[];
};

/** The request and answer format of a model provider. */
export type Protocol = {
	readonly path: RegExp;
	readonly wantsStream: (body: Body, path: string) => boolean;
	readonly read: (body: Body) => Omit<Asked, 'whole'>;
	/** The events before, for each piece of text, and after it. */
	readonly events: (told: Told) => {
		readonly opening: readonly ServerEvent[];
		readonly piece: (text: string) => ServerEvent;
		readonly closing: readonly ServerEvent[];
	};
	/** Returns the whole answer for a client without streaming. */
	readonly whole: (told: Told) => object;
};

export type Body = {readonly stream?: boolean; readonly [field: string]: unknown};

/** An event with a type also has it as its name. */
export type ServerEvent = {readonly type?: string; readonly [field: string]: unknown};
