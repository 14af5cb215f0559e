import {type Usage, usageFields} from '../domain/run.ts';
import {omitUndefined} from './json.ts';
import type {ParsedRecord, UsageAmount} from './parsed-record.ts';

/** Maximum number of calls whose usage may be reported again. Subagents report their calls in turns. */
const maxOpenCalls = 64;

/** Sums the usage of single calls, until the tool reports the total. */
export const createUsageSum = () => {
	let reportedTotal: UsageAmount | undefined;
	let sum: UsageAmount = {};
	/** The newest report of each call, the newest call last. */
	const calls = new Map<string, UsageAmount>();
	return {
		add: ({of, id, amount}: Extract<ParsedRecord, {type: 'usage'}>): void => {
			if (of === 'run') {
				reportedTotal = amount;
				return;
			}
			if (id === undefined) {
				sum = addAmounts(sum, amount);
				return;
			}
			calls.delete(id);
			calls.set(id, amount);
			const [oldest] = calls;
			if (calls.size <= maxOpenCalls || oldest === undefined) return;
			calls.delete(oldest[0]);
			sum = addAmounts(sum, oldest[1]);
		},
		total: (): Omit<Usage, 'source'> | undefined => {
			const total = reportedTotal ?? [...calls.values()].reduce(addAmounts, sum);
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
