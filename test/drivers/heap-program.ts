import {getHeapSpaceStatistics} from 'node:v8';
import {Script} from 'node:vm';
import {boundHeap, releaseHeap} from '../../source/drivers/heap-bounds.ts';

/**
 * `node program <bound|usual> [released]` allocates much memory. It prints the bytes of the young generation
 * and its compiled code as a line of JSON.
 */
const [how, released] = process.argv.slice(2);
if (how === 'bound') boundHeap();
let kept: object[] = [];
let turns = 0;

const turn = (): void => {
	for (let count = 0; count < 10_000; count++) kept.push({count, beside: [count]});
	kept = kept.slice(-30_000);
	turns += 1;
	if (turns < 100) setImmediate(turn);
	else report();
};

const report = (): void => {
	const young = getHeapSpaceStatistics().find(({space_name}) => space_name === 'new_space')?.space_size;
	if (released === 'released') releaseHeap();
	const code = new Script('(() => 1)()').createCachedData().toString('base64');
	process.stdout.write(`${JSON.stringify({young, code})}\n`);
};

turn();
