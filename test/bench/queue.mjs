import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {Queue, Worker} from 'bullmq';
import {Redis} from 'ioredis';

/**
 * Measures a durable queue with the same work: `node queue.mjs <socket of Redis> <tasks>`, from the folder of
 * its packages.
 */
const [, , path, count] = process.argv;
const width = 4;
const connection = new Redis({path, maxRetriesPerRequest: null});
const queue = new Queue('bench', {connection});
const waits = [];
let ended = 0;
let allEnded = () => {};
const work = async ({data}) => {
	const child = spawn('/bin/true', {stdio: 'ignore'});
	await once(child, 'spawn');
	waits.push(performance.now() - data.at);
	await once(child, 'exit');
};
const worker = new Worker('bench', work, {connection, concurrency: width});
worker.on('completed', () => {
	ended += 1;
	allEnded(ended);
});
const untilEnded = total =>
	new Promise(resolve => {
		allEnded = sum => sum === total && resolve();
	});
const add = () => queue.add('task', {at: performance.now()});
await worker.waitUntilReady();

const begin = performance.now();
const all = untilEnded(Number(count));
await Promise.all(Array.from({length: Number(count)}, add));
await all;
const rate = (Number(count) / (performance.now() - begin)) * 1000;

waits.length = 0;
for (let index = 1; index <= 100; index++) {
	const one = untilEnded(Number(count) + index);
	await add();
	await one;
}
console.log(JSON.stringify({rate, waits}));
await worker.close();
await queue.close();
await connection.quit();
