import type {ActionContext} from '../actions/context.ts';

/** The next step after something was given to the reactor to do: who does it, and when. */
export const whoTakesIt = (reactorIsAlive: boolean): string =>
	reactorIsAlive
		? 'A reactor is alive and takes it from here.'
		: 'No reactor is alive for it: it waits until "hive" or "hive run" is started.';

export const askWhoTakesIt = async ({reactorIsAlive}: ActionContext, traceId: string): Promise<string> =>
	whoTakesIt(await reactorIsAlive(traceId));
