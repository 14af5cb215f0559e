import type {Answer, Asked, Call} from './conversation.ts';

/** An answer with what no other answer of the model has. */
export type Told = Omit<Answer, 'calls'> & {
	readonly id: string;
	readonly calls: readonly (Call & {readonly id: string})[];
};

/** How a provider of models is asked and answers. */
export type Protocol = {
	readonly path: RegExp;
	readonly wantsStream: (body: Body, path: string) => boolean;
	readonly read: (body: Body) => Omit<Asked, 'whole'>;
	/** Events that come before, for each piece of text and after it. */
	readonly events: (told: Told) => {
		readonly opening: readonly ServerEvent[];
		readonly piece: (text: string) => ServerEvent;
		readonly closing: readonly ServerEvent[];
	};
	/** The whole answer for who does not want a stream. */
	readonly whole: (told: Told) => object;
};

export type Body = {readonly stream?: boolean; readonly [field: string]: unknown};

/** One with a type says it in its name too. */
export type ServerEvent = {readonly type?: string; readonly [field: string]: unknown};
