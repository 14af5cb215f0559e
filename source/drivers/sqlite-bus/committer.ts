import type {Appended} from '../../ports/bus.ts';
import type {Entrant, Log} from './log.ts';

/** Group commit: what arrives in one turn of the event loop, from whomever, goes into the log as one transaction. */
export const createCommitter = (append: Log['append'], committed: () => void) => {
	let waiting: Waiting[] = [];
	const flush = () => {
		const batch = waiting;
		waiting = [];
		try {
			const results = append(batch.map(({entrant}) => entrant));
			for (const [index, result] of results.entries()) batch[index]?.resolve(result);
			if (results.some(result => result.ok && !result.duplicate)) committed();
		} catch (error) {
			for (const {reject} of batch) reject(error);
		}
	};
	return (entrant: Entrant): Promise<Appended> =>
		new Promise((resolve, reject) => {
			if (waiting.length === 0) setImmediate(flush);
			waiting.push({entrant, resolve, reject});
		});
};

type Waiting = {
	readonly entrant: Entrant;
	readonly resolve: (result: Appended) => void;
	readonly reject: (error: unknown) => void;
};
