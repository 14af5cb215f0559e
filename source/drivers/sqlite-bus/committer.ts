import type {Notifier} from '../bus/notifier.ts';

/**
 * Does the work in one transaction with that of everybody who asks in the same turn of the event loop.
 * @param notifier of what the work changes, notified when it is on the disk
 */
export type Commit = <Result>(work: () => Result, notifier: Notifier) => Promise<Result>;

/**
 * Group commit: however many write at the same moment, the disk is synced once.
 *
 * @param write makes one transaction of the work
 * @param committed called when one is through
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

/** The work of one caller; what it returns gives the caller the answer, once all of it is on the disk. */
type Member = {
	readonly work: () => () => void;
	readonly notifier: Notifier;
	readonly reject: (error: unknown) => void;
};
