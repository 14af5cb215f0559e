import {type Usage, usageFields} from '../domain/run.ts';
import {omitUndefined} from './json.ts';
import type {Amount, ParsedRecord} from './parsed-record.ts';

/** Sums the usage of single calls, until the tool reports the total. */
export const createUsageSum = () => {
	let run: Amount | undefined;
	let calls: Amount = {};
	let last: {id: string; amount: Amount} | undefined;
	return {
		add: ({of, id, amount}: Extract<ParsedRecord, {type: 'usage'}>): void => {
			if (of === 'run') {
				run = amount;
				return;
			}
			if (last !== undefined && last.id !== id) calls = plus(calls, last.amount);
			if (id === undefined) calls = plus(calls, amount);
			last = id === undefined ? undefined : {id, amount};
		},
		total: (): Omit<Usage, 'source'> | undefined => {
			const total = run ?? (last === undefined ? calls : plus(calls, last.amount));
			return Object.keys(total).length === 0 ? undefined : total;
		},
	};
};

const plus = (one: Amount, other: Amount): Amount => {
	const sum = (name: keyof Amount) =>
		one[name] === undefined && other[name] === undefined ? undefined : (one[name] ?? 0) + (other[name] ?? 0);
	return omitUndefined(
		Object.fromEntries([...usageFields, 'costUsd' as const].map(name => [name, sum(name)])),
	);
};
