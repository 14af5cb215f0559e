import {type ContainNetwork, type ContainSetting, containModes} from '../../domain/containment.ts';
import {maxHostRules, readHostRule} from '../../domain/host-rule.ts';
import {fields, listOf, oneOf, type Reader, scalarOf} from './reader.ts';

const path = scalarOf('a path: absolute, below "~/", or relative to the checkout, without ".."', ({value}) =>
	typeof value === 'string' && isPath(value) ? value : undefined,
);

const isPath = (value: string): boolean =>
	value !== '' && !/\p{Cc}/u.test(value) && !value.split('/').includes('..') && !/^~[^/]/.test(value);

const host = scalarOf('a host: "example.com" or "*.example.com", with ":port" if need be', ({value}) =>
	typeof value === 'string' && readHostRule(value) !== undefined ? value : undefined,
);

const network: Reader<ContainNetwork> = (tree, notes) => {
	if (tree.type !== 'list') return oneOf(['all', 'none'])(tree, notes);
	const hosts = listOf(host)(tree, notes);
	if (hosts === undefined || hosts.length <= maxHostRules) return hosts;
	return notes.problem(tree.line, `has more than ${maxHostRules} hosts`);
};

const mode = oneOf(containModes);

const containFields = fields({
	mode,
	read: listOf(path),
	write: listOf(path),
	hide: listOf(path),
	network,
});

/** Reads `contain` of a colony or a bee (docs/rules.md §9): a mode, or a map of keys. */
export const contain: Reader<ContainSetting> = (tree, notes) => {
	if (tree.type === 'map') return containFields(tree, notes);
	const found = mode(tree, notes);
	return found && {mode: found};
};
