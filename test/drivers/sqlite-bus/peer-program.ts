// A process that works on a log, driven by messages from the test.
import {createKernelLock} from '../../../source/drivers/kernel-lock.ts';
import {type MachineLog, openMachineLog} from '../../contract/bus-drivers.ts';
import {collect, never} from '../../contract/collect.ts';

const [file = '', socket = ''] = process.argv.slice(2);
let log: MachineLog | undefined;
const opened = async () => {
	log ??= await openMachineLog({file, socket});
	return log;
};
const open = async () => (await opened()).bus;

const calls = {
	open: async () => (await open()).last(),
	serve: async () => {
		await (await opened()).serve();
	},
	/** Appends `<prefix>-<n>`, with `depth` appends at once, and reports each acknowledged id. */
	append: async (prefix: string, count: number, depth: number) => {
		const bus = await open();
		let next = 0;
		const work = async () => {
			while (next < count) {
				const id = `${prefix}-${next++}`;
				await bus.append({traceId: prefix, type: 'SIGNAL', payload: {kind: 'note', id}}, {id});
				process.send?.({acknowledged: id});
			}
		};
		await Promise.all(Array.from({length: depth}, work));
	},
	follow: async (count: number): Promise<string[]> => {
		const events = await collect((await open()).follow({after: 0, signal: never}), count);
		return events.map(({sequence, id}) => `${sequence} ${id}`);
	},
	followThenAppend: async (count: number, id: string) => {
		await calls.follow(count);
		await (await open()).append({traceId: 'follower', type: 'SIGNAL', payload: {kind: 'note'}}, {id});
	},
	close: async () => (await opened()).close(),
	take: async () => createKernelLock(file).take(),
};

process.on('message', async ({n, call, input}: {n: number; call: keyof typeof calls; input: never[]}) => {
	const perform: (...input: never[]) => Promise<unknown> = calls[call];
	const answer = await perform(...input).then(
		value => ({n, value}),
		error => ({n, error: String(error)}),
	);
	if (process.connected) process.send?.(answer);
});
process.send?.({ready: true});
