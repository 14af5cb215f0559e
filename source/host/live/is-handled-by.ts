import type {ReactorStatus} from '../host.ts';

/** True if there is a reactor and it works on the trace, or, if none is named, on every trace. */
export const isHandledBy = (reactor: ReactorStatus | undefined, traceId: string | undefined): boolean =>
	reactor !== undefined && (reactor.only === undefined || reactor.only === traceId);
