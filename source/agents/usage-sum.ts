import {type Usage, usageFields} from '../domain/run.ts';
import {omitUndefined} from './json.ts';
import type {Amount, ParsedRecord} from './parsed-record.ts';

/** Sums the usage of single calls, until the tool reports the total. */
export const createUsageSum = () => {
	let reportedTotal: Amount | undefined;
	let sum: Amount = {};
	let lastCall: {id: string; amount: Amount} | undefined;
	return {
		add: ({of, id, amount}: Extract<ParsedRecord, {type: 'usage'}>): void => {
			if (of === 'run') {
				reportedTotal = amount;
				return;
			}
			if (lastCall !== undefined && lastCall.id !== id) sum = addAmounts(sum, lastCall.amount);
			if (id === undefined) sum = addAmounts(sum, amount);
			lastCall = id === undefined ? undefined : {id, amount};
		},
		total: (): Omit<Usage, 'source'> | undefined => {
			const total = reportedTotal ?? (lastCall === undefined ? sum : addAmounts(sum, lastCall.amount));
			return Object.keys(total).length === 0 ? undefined : total;
		},
	};
};

const addAmounts = (one: Amount, other: Amount): Amount => {
	const addField = (name: keyof Amount) =>
		one[name] === undefined && other[name] === undefined ? undefined : (one[name] ?? 0) + (other[name] ?? 0);
	return omitUndefined(
		Object.fromEntries([...usageFields, 'costUsd' as const].map(name => [name, addField(name)])),
	);
};
