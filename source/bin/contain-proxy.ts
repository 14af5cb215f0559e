import {runInside} from '../drivers/containment/proxy/run-inside.ts';
import {runOutside} from '../drivers/containment/proxy/run-outside.ts';

/**
 * The two ends of the proxy for `network: [hosts]`: one outside the container, which starts it, and one
 * inside, which starts the program.
 */
const [end, ...given] = process.argv.slice(2);
if (end === 'inside') runInside(given);
else runOutside(given);
