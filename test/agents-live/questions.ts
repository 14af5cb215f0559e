import {headlessTools} from './headless.ts';
import {proveEach} from './prove-each.ts';
import {proveQuestions} from './questions-proof.ts';

/**
 * Each real agent tool asks, changes nothing, and waits for a merge: `node questions.mjs claude --installed
 * ~/.cache/hive-agents`.
 */
await proveEach(headlessTools, proveQuestions, {
	asked: false,
	answered: false,
	resumed: false,
	unchanged: false,
	deployed: false,
	seconds: 0,
});
