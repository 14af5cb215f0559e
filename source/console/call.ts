import type {Context} from 'hono';
import type {Caller} from './caller.ts';

/** The socket of a request, if it came over one. */
export type Connection = {
	readonly incoming?: {readonly socket: {readonly remoteAddress?: string | undefined}};
	readonly outgoing?: {readonly destroy: () => void};
	/** Called with the credential of each request that was authorized on this connection. */
	readonly authorize?: (credential: string) => void;
};

/** Values that middleware sets for handlers. `caller` is set once the request is authorized. */
export type Env = {Variables: {caller: Caller}; Bindings: Connection};

/** One request being handled. */
export type Call = Context<Env>;

/** The connection of a request. Empty without a socket. */
export const connectionOf = ({env}: Call): Connection => (env as Connection | undefined) ?? {};

/** The `:name` parts of the path, by name. */
export const namedIn = (call: Call): Readonly<Record<string, string>> => call.req.param();
