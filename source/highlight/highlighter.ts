import {Worker} from 'node:worker_threads';
import {createSerialQueue} from '../domain/serial-queue.ts';
import type {Colours, Question} from './protocol.ts';

/** Returns the colours of a file; undefined if its code could not be read, or not in time. */
export type Highlighter = (question: Question) => Promise<Colours | undefined>;

/**
 * Max milliseconds for one file, in a thread that has started; the start itself may take as long as a busy
 * machine needs. Only a file made for the purpose takes longer.
 */
const timeoutMs = 5000;
const memory = {maxOldGenerationSizeMb: 128};

type Thread = {
	readonly worker: Worker;
	/** Resolves once the thread has loaded its program, which it reports with its first message. */
	readonly isReady: Promise<unknown>;
};

/**
 * Reads code in a thread, which starts with the first question and ends when the signal aborts. Questions are
 * answered one by one.
 */
export const createHighlighter = (script: URL, signal: AbortSignal): Highlighter => {
	let thread: Thread | undefined;
	const stopThread = (): void => {
		void thread?.worker.terminate();
		thread = undefined;
	};
	signal.addEventListener('abort', stopThread, {once: true});
	const startThread = (): Thread => {
		const worker = new Worker(script, {resourceLimits: memory, execArgv: []});
		worker.unref();
		// An `exit` event follows, which ends the pending question.
		worker.on('error', () => {});
		worker.once('exit', () => {
			if (thread?.worker === worker) thread = undefined;
		});
		return {worker, isReady: new Promise(resolve => worker.once('message', resolve))};
	};
	const sendQuestion: Highlighter = question =>
		new Promise(resolve => {
			if (signal.aborted) return resolve(undefined);
			thread ??= startThread();
			const {worker, isReady} = thread;
			let timer: NodeJS.Timeout | undefined;
			const resolveQuestion = (colours?: Colours): void => {
				clearTimeout(timer);
				worker.off('message', resolveQuestion);
				worker.off('exit', ended);
				resolve(colours);
			};
			const ended = (): void => resolveQuestion();
			worker.once('exit', ended);
			void isReady.then(() => {
				timer = setTimeout(() => {
					if (thread?.worker === worker) stopThread();
					resolveQuestion();
				}, timeoutMs);
				timer.unref();
				worker.once('message', resolveQuestion);
				worker.postMessage(question);
			});
		});
	const queue = createSerialQueue();
	return question => queue(() => sendQuestion(question));
};
