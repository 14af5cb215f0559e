import type {Row} from './row.ts';
import {benchTaskCalls} from './task-calls.ts';
import {benchTaskHistory} from './task-history.ts';
import {benchTaskLatency} from './task-latency.ts';
import {benchTaskQueue} from './task-queue.ts';
import {benchTaskRates} from './task-rates.ts';
import {benchTaskRecovery} from './task-recovery.ts';
import {benchTaskRest} from './task-rest.ts';

/** Rows 27, 30, 31 and 33 to 41 of docs/performance.md: what a task costs. */
export const benchTasks = async (): Promise<Row[]> => [
	...(await benchTaskRates()),
	...(await benchTaskLatency()),
	...(await benchTaskCalls()),
	...(await benchTaskHistory()),
	...(await benchTaskRecovery()),
	...(await benchTaskRest()),
	...(await benchTaskQueue()),
];
