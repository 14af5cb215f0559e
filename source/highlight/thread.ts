// The thread that reads code for its colours: a bundle of its own, loaded when a diff is first requested.
import {parentPort} from 'node:worker_threads';
import type {CodeLines} from '../review/code.ts';
import {highlight} from '../review/highlight.ts';
import type {Colours, Question} from './protocol.ts';

const written = (lines: CodeLines): readonly (string | null)[] =>
	lines.map(parts => (parts === undefined ? null : JSON.stringify(parts)));

parentPort?.postMessage('begun');
parentPort?.on('message', ({path, code}: Question) => {
	const colours: Colours = {
		old: highlight(path, code.old).map(written),
		new: highlight(path, code.new).map(written),
	};
	parentPort?.postMessage(colours);
});
