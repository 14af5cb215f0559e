import {Worker} from 'node:worker_threads';
import type {Colours, Question} from './protocol.ts';

/** The colours of a file; nothing where its code could not be read, or not in time. */
export type Highlighter = (question: Question) => Promise<Colours | undefined>;

/** Milliseconds for one file. What takes longer was made to. */
const longest = 5000;
const memory = {maxOldGenerationSizeMb: 128};

/** Reads code in a thread, which begins with the first question and ends with the signal. Questions are answered one after the other. */
export const createHighlighter = (script: URL, signal: AbortSignal): Highlighter => {
	let thread: Worker | undefined;
	const end = (): void => {
		void thread?.terminate();
		thread = undefined;
	};
	signal.addEventListener('abort', end, {once: true});
	const begin = (): Worker => {
		const worker = new Worker(script, {resourceLimits: memory, execArgv: []});
		worker.unref();
		// Whoever waits for an answer hears of its end.
		worker.on('error', () => {});
		worker.once('exit', () => {
			if (thread === worker) thread = undefined;
		});
		return worker;
	};
	const ask: Highlighter = question =>
		new Promise(resolve => {
			if (signal.aborted) return resolve(undefined);
			thread ??= begin();
			const worker = thread;
			const finish = (colours?: Colours): void => {
				clearTimeout(timer);
				worker.off('message', finish);
				worker.off('exit', ended);
				resolve(colours);
			};
			const ended = (): void => finish();
			const timer = setTimeout(() => {
				if (thread === worker) end();
				finish();
			}, longest);
			timer.unref();
			worker.once('message', finish);
			worker.once('exit', ended);
			worker.postMessage(question);
		});
	let last: Promise<unknown> = Promise.resolve();
	return question => {
		const answer = last.then(() => ask(question));
		last = answer;
		return answer;
	};
};
