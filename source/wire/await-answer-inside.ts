import {dirname, join} from 'node:path';
import {readMark} from '../drivers/containment/read-mark.ts';
import {runDirectory, runPath} from '../runs/layout.ts';
import type {RunName} from '../runs/spool.ts';
import {files} from './drivers.ts';

type AnswerInside = {readonly option?: string; readonly text?: string};

/** True in the containment of a run. */
export const isContained = (): boolean => readMark() !== undefined;

/**
 * Waits in a container for the answer to a question of its run, which the reactor writes to a file. Undefined
 * once the signal is aborted.
 */
export const awaitAnswerInside = (
	root: string,
	{traceId, agentId}: RunName,
	questionId: string,
	signal: AbortSignal,
): Promise<AnswerInside | undefined> =>
	new Promise((resolve, reject) => {
		const file = join(runPath(runDirectory(root, traceId, agentId), 'answers'), questionId);
		const over = new AbortController();
		const end = (answer?: AnswerInside): void => {
			over.abort();
			resolve(answer);
		};
		const look = (): void => {
			files.read(file).then(text => {
				if (text !== undefined) end(JSON.parse(text));
			}, reject);
		};
		files.watch(dirname(file), over.signal, look);
		signal.addEventListener('abort', () => end(), {once: true});
		if (signal.aborted) end();
		look();
	});
