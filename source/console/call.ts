import type {Context} from 'hono';
import type {Caller} from './caller.ts';

/** The socket of a request, where it came by one. */
export type Connection = {
	readonly incoming?: {readonly socket: {readonly remoteAddress?: string | undefined}};
	readonly outgoing?: {readonly destroy: () => void};
	/** Called when a request on it was let in, with its credential. */
	readonly letIn?: (credential: string) => void;
};

/** What middleware leaves for handlers: `caller` is there once a request was let in. */
export type Env = {Variables: {caller: Caller}; Bindings: Connection};

/** One request on its way to an answer. */
export type Call = Context<Env>;

/** The connection of a request; empty without a socket. */
export const connectionOf = ({env}: Call): Connection => (env as Connection | undefined) ?? {};

/** What stands in the path as `:name`, by name. */
export const namedIn = (call: Call): Readonly<Record<string, string>> => call.req.param();
