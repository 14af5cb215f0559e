import type {EventType} from '../../domain/event.ts';
import {limitsOf} from '../../domain/event-kinds.ts';
import {proposedIn} from '../../domain/proposal-kind.ts';
import {type Bee, type ContractRule, declares, isSummarized} from '../colony.ts';
import {type BeeCheck, eachBee, type Rule} from './rule.ts';

/** Rules about the events that the runs of a bee must emit (docs/rules.md §9). */
export const contractRules: readonly Rule[] = [
	{
		id: 'contract-unmet',
		level: 'error',
		says: 'Every completion contract can be met.',
		check: colony => eachBee(colony, unmetContracts),
	},
	{
		id: 'contract-unaided',
		level: 'warning',
		says: 'No contract needs a summary or proposal that hive does not supply in time.',
		check: colony => eachBee(colony, unaidedContracts),
	},
];

const formatContract = ({count, kindOneOf}: ContractRule): string => `${count} of ${kindOneOf.join(' or ')}`;

const unmetContracts: BeeCheck = bee => [
	...bee.completionContract
		.filter(({type, kindOneOf}) => !kindOneOf.some(kind => mayEmit(bee, type, kind)))
		.map(rule => ({
			message: `"${bee.role}" must emit ${formatContract(rule)}, but may not emit it`,
			fix: rule.kindOneOf.some(kind => limitsOf(kind).agents === 'declared')
				? 'Declare it in publishes.'
				: 'Require an event that agents may emit.',
		})),
	...bee.completionContract.flatMap(rule =>
		bee.completionContract
			.filter(other => exceeds(rule, other))
			.map(other => ({
				message: `"${bee.role}" must emit ${formatContract(rule)}, but also exactly ${formatContract(other)}`,
				fix: 'Require one of the two.',
			})),
	),
];

/** True if a run may emit the event without being refused (docs/architecture.md §4). */
const mayEmit = (bee: Bee, type: EventType, kind: string): boolean => {
	const {agents} = limitsOf(kind);
	return agents === undefined || (agents === 'declared' && declares(bee, type, kind));
};

/**
 * True if every event that counts for `rule` also counts for `other`, which needs fewer. Counts are exact, so
 * both cannot be met.
 */
const exceeds = (rule: ContractRule, other: ContractRule): boolean =>
	rule.type === other.type &&
	rule.count > other.count &&
	rule.kindOneOf.every(kind => other.kindOneOf.includes(kind));

const unaidedContracts: BeeCheck = bee => [
	...(bee.runSummary === 'required' && !isSummarized(bee)
		? [
				{
					message: `"${bee.role}" requires a run.summary, but hive makes none from its output: it publishes only other events`,
					fix: 'Publish INSIGHT run.summary too, unless its agent emits one.',
				},
			]
		: []),
	...bee.completionContract
		.filter(({kindOneOf}) => kindOneOf.every(kind => proposedIn(kind) !== undefined))
		.map(rule => ({
			message: `"${bee.role}" must emit ${formatContract(rule)}, but hive publishes proposals after it checks the contract`,
			fix: 'Remove it from the contract, unless its agent emits the proposal.',
		})),
];
