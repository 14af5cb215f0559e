import type {ReactorStatus} from '../host.ts';

/** Whether this reactor works on the trace, when there is one; on every trace when none is named. */
export const worksOn = (reactor: ReactorStatus | undefined, traceId: string | undefined): boolean =>
	reactor !== undefined && (reactor.only === undefined || reactor.only === traceId);
