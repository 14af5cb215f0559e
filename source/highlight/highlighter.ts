import {Worker} from 'node:worker_threads';
import {createSerialQueue} from '../domain/serial-queue.ts';
import type {Colours, Question} from './protocol.ts';

/** Returns the colours of a file; undefined if its code could not be read, or not in time. */
export type Highlighter = (question: Question) => Promise<Colours | undefined>;

/**
 * Max milliseconds for one file, in a thread that has started; the start itself may take as long as a busy
 * machine needs. Only a file made for the purpose takes longer.
 */
const longest = 5000;
const memory = {maxOldGenerationSizeMb: 128};

type Thread = {
	readonly worker: Worker;
	/** Resolves once the thread has loaded its program, which it reports with its first message. */
	readonly begun: Promise<unknown>;
};

/**
 * Reads code in a thread, which starts with the first question and ends when the signal aborts. Questions are
 * answered one by one.
 */
export const createHighlighter = (script: URL, signal: AbortSignal): Highlighter => {
	let thread: Thread | undefined;
	const end = (): void => {
		void thread?.worker.terminate();
		thread = undefined;
	};
	signal.addEventListener('abort', end, {once: true});
	const begin = (): Thread => {
		const worker = new Worker(script, {resourceLimits: memory, execArgv: []});
		worker.unref();
		// An `exit` event follows, which ends the pending question.
		worker.on('error', () => {});
		worker.once('exit', () => {
			if (thread?.worker === worker) thread = undefined;
		});
		return {worker, begun: new Promise(resolve => worker.once('message', resolve))};
	};
	const ask: Highlighter = question =>
		new Promise(resolve => {
			if (signal.aborted) return resolve(undefined);
			thread ??= begin();
			const {worker, begun} = thread;
			let timer: NodeJS.Timeout | undefined;
			const finish = (colours?: Colours): void => {
				clearTimeout(timer);
				worker.off('message', finish);
				worker.off('exit', ended);
				resolve(colours);
			};
			const ended = (): void => finish();
			worker.once('exit', ended);
			void begun.then(() => {
				timer = setTimeout(() => {
					if (thread?.worker === worker) end();
					finish();
				}, longest);
				timer.unref();
				worker.once('message', finish);
				worker.postMessage(question);
			});
		});
	const queue = createSerialQueue();
	return question => queue(() => ask(question));
};
