import {headlessTools} from './headless.ts';
import {proveEach} from './prove-each.ts';
import {proveQuestions} from './questions-proof.ts';
import {waitedForNothing} from './waiting-stories.ts';

/**
 * Each real agent tool asks, changes nothing, waits for a merge, and waits for answers: `node questions.mjs
 * claude --installed ~/.cache/hive-agents`.
 */
await proveEach(headlessTools, proveQuestions, {
	asked: false,
	answered: false,
	resumed: false,
	unchanged: false,
	deployed: false,
	...waitedForNothing,
	seconds: 0,
});
