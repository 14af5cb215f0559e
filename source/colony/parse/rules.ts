import {eventTypes} from '../../domain/event.ts';
import type {ContractRule, EventRule, Subscription} from '../colony.ts';
import {fields, listOf, type Notes, oneOf, positiveInteger, type Reader} from './reader.ts';
import type {YamlTree} from './yaml-tree.ts';

const dispatches = ['task', 'direct'] as const;

const kind: Reader<string> = (tree, notes) => {
	if (tree.type !== 'scalar' || !/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(tree.source))
		return notes.problem(tree.line, 'expected an event kind such as feature.requested');
	return tree.source;
};

const eventFields = fields({type: oneOf(eventTypes), kind}, ['type']);
const subscriptionFields = fields({type: oneOf(eventTypes), kind, dispatch: oneOf(dispatches)}, ['type']);

/** One entry of `publishes`. */
export const publication: Reader<EventRule> = (tree, notes) => {
	const read = eventFields(tree, notes);
	if (read?.type === undefined) return undefined;
	return {type: read.type, ...kindOf(read.kind, tree, notes)};
};

/**
 * One entry of `subscribes`. Without `dispatch`, a kind that starts with `task.` is for tasks; any other is
 * direct.
 */
export const subscription: Reader<Subscription> = (tree, notes) => {
	const read = subscriptionFields(tree, notes);
	if (read?.type === undefined) return undefined;
	const dispatch = read.dispatch ?? (read.kind?.startsWith('task.') ? 'task' : 'direct');
	return {type: read.type, ...kindOf(read.kind, tree, notes), dispatch};
};

/** The bare `code.proposal` is an alias of the isolated kind (docs/rules.md §6). */
const kindOf = (written: string | undefined, tree: YamlTree, notes: Notes): {kind?: string} => {
	if (written === undefined) return {};
	if (written !== 'code.proposal') return {kind: written};
	notes.warning(
		tree.line,
		'"code.proposal" is an alias of "code.proposal.isolated"',
		'Write code.proposal.isolated.',
	);
	return {kind: 'code.proposal.isolated'};
};

const contractFields = fields({type: oneOf(eventTypes), kind_one_of: listOf(kind), count: positiveInteger}, [
	'type',
	'kind_one_of',
]);

const contractRule: Reader<ContractRule> = (tree, notes) => {
	const read = contractFields(tree, notes);
	if (read?.type === undefined || read.kind_one_of === undefined) return undefined;
	if (read.kind_one_of.length === 0) return notes.problem(tree.line, '"kind_one_of" names no kind');
	return {type: read.type, kindOneOf: read.kind_one_of, count: read.count ?? 1};
};

/** `completion_contract: {required: […]}` (docs/rules.md §9). */
export const completionContract = fields({required: listOf(contractRule)}, ['required']);
