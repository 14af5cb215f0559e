import type {Answer, Asked} from './conversation.ts';

/** How a provider of models is asked and answers. */
export type Protocol = {
	readonly path: string;
	readonly read: (body: Body) => Asked;
	/** Events that come before, for each piece of text and after it. */
	readonly events: (answer: Answer) => {
		readonly opening: readonly ServerEvent[];
		readonly piece: (text: string) => ServerEvent;
		readonly closing: readonly ServerEvent[];
	};
	/** The whole answer for who does not want a stream. */
	readonly whole: (answer: Answer) => object;
};

export type Body = {readonly stream?: boolean; readonly [field: string]: unknown};

export type ServerEvent = {readonly type: string; readonly [field: string]: unknown};
