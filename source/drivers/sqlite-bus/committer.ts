import type {Notifier} from '../bus/notifier.ts';

/**
 * Does the work in one transaction with all other work requested in the same turn of the event loop.
 * @param notifier notified when the change is on the disk
 */
export type Commit = <Result>(work: () => Result, notifier: Notifier) => Promise<Result>;

/**
 * Group commit: however many callers write at the same moment, the disk is synced once.
 *
 * @param write runs the work as one transaction
 * @param committed called after each transaction
 */
export const createCommitter = (
	write: <Result>(work: () => Result) => Result,
	committed: () => void,
): Commit => {
	let group: Member[] = [];
	const flush = () => {
		const members = group;
		group = [];
		try {
			const answers = write(() => members.map(({work}) => work()));
			for (const answer of answers) answer();
			for (const notifier of new Set(members.map(({notifier}) => notifier))) notifier.notify();
			committed();
		} catch (error) {
			for (const {reject} of members) reject(error);
		}
	};
	return (work, notifier) =>
		new Promise((resolve, reject) => {
			if (group.length === 0) setImmediate(flush);
			const member = () => {
				const result = work();
				return () => resolve(result);
			};
			group.push({work: member, notifier, reject});
		});
};

/**
 * The work of one caller. It returns a function that gives the caller its result, to be called once the
 * transaction is on the disk.
 */
type Member = {
	readonly work: () => () => void;
	readonly notifier: Notifier;
	readonly reject: (error: unknown) => void;
};
