/** The instants between two effects at which a gateway may die, and the next one goes on. */
export const chatPoints = [
	/** Where a message will be is noted; it is not sent. */
	'chat.sending',
	/** A message is sent or shown anew; that is not noted. */
	'chat.sent',
	/** It is noted. */
	'chat.noted',
	/** What a person did is noted on its card; the channel was not told so. */
	'chat.heard',
	/** What was pressed is begun; nothing is done. */
	'chat.acting',
	/** It is done; the card does not say so. */
	'chat.acted',
] as const;
export type ChatPoint = (typeof chatPoints)[number];
