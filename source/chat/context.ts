import type {Host} from '../host/host.ts';

export type Context = Awaited<ReturnType<Host['open']>>;
/** A crash point between two effects, at which a gateway may die and the next one continues. */
export type ChatPoint = Extract<Parameters<Context['failpoint']>[0], `chat.${string}`>;
export type Bucket = ReturnType<Context['bus']['bucket']>;

/** The bucket of the log that holds all state of the gateways. */
export const bucketOf = ({bus}: Context): Bucket => bus.bucket('chat');
