import type {Host} from '../host/host.ts';

export type Context = Awaited<ReturnType<Host['open']>>;
/** An instant between two effects at which a gateway may die, and the next one goes on. */
export type ChatPoint = Extract<Parameters<Context['reach']>[0], `chat.${string}`>;
export type Bucket = ReturnType<Context['bus']['bucket']>;

/** The bucket of the log in which everything is kept that a gateway knows. */
export const bucketOf = ({bus}: Context): Bucket => bus.bucket('chat');
