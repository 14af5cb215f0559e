import {type Usage, usageFields} from '../domain/run.ts';
import {omitUndefined} from './json.ts';
import type {ParsedRecord, UsageAmount} from './parsed-record.ts';

/** Sums the usage of single calls, until the tool reports the total. */
export const createUsageSum = () => {
	let reportedTotal: UsageAmount | undefined;
	let sum: UsageAmount = {};
	let lastCall: {id: string; amount: UsageAmount} | undefined;
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

const addAmounts = (one: UsageAmount, other: UsageAmount): UsageAmount => {
	const addField = (name: keyof UsageAmount) =>
		one[name] === undefined && other[name] === undefined ? undefined : (one[name] ?? 0) + (other[name] ?? 0);
	return omitUndefined(
		Object.fromEntries([...usageFields, 'costUsd' as const].map(name => [name, addField(name)])),
	);
};
