import {createHash} from 'node:crypto';

/**
 * Ids of OpenTelemetry, from the ids of hive: 16 and 8 bytes in hex. Every process and every attempt gives
 * the same span the same id.
 */
export const otelTraceId = (traceId: string): string => hash(traceId).slice(0, 32);

/** The span of a whole trace. */
export const rootSpanId = (traceId: string): string => hash(traceId, 'trace').slice(0, 16);

export const taskSpanId = (traceId: string, taskId: string): string =>
	hash(traceId, 'task', taskId).slice(0, 16);

export const runSpanId = (traceId: string, agentId: string): string =>
	hash(traceId, 'run', agentId).slice(0, 16);

/** `TRACEPARENT` of a run (W3C Trace Context): what the agent reports is below the run's span. */
export const traceParent = (traceId: string, agentId: string): string =>
	`00-${otelTraceId(traceId)}-${runSpanId(traceId, agentId)}-01`;

const hash = (...parts: readonly string[]): string =>
	createHash('sha256').update(parts.join('\0')).digest('hex');
