import type {Verify} from '../colony.ts';
import {defaults} from '../defaults.ts';
import {command, duration, fields, listOf, type Notes, type Reader, scalarOf, truth} from './reader.ts';
import type {YamlTree} from './yaml-tree.ts';

/** One argv (a command line, or a list of texts), or a list of several. */
export const commands: Reader<readonly (readonly string[])[]> = (tree, notes) => {
	if (tree.type === 'list' && tree.items.some(({type}) => type === 'list'))
		return listOf(command)(tree, notes);
	const argv = command(tree, notes);
	return argv && [argv];
};

/** Maximum of `verify.parallel`. */
const maxParallel = 16;

const parallel = scalarOf(`a whole number from 1 to ${maxParallel}`, ({value}) =>
	typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= maxParallel
		? value
		: undefined,
);

const verifyFields = fields(
	{
		commands,
		timeout: duration('14d'),
		required: truth,
		reuse: duration('30d'),
		parallel,
	},
	['commands'],
);

/**
 * Reads `verify` of a colony or a bee (docs/rules.md §9): its commands, or a map with commands and options.
 * `disabled` and an empty list switch verification off.
 */
export const verify: Reader<Verify | 'disabled'> = (tree, notes) => {
	if (isNothing(tree)) return 'disabled';
	if (tree.type !== 'map') return whole(commands(tree, notes));
	const listed = tree.entries.get('commands');
	if (listed !== undefined && isNothing(listed)) return refuseEmpty(listed, notes);
	const read = verifyFields(tree, notes);
	return whole(read?.commands, read);
};

const whole = (
	argvs: Verify['commands'] | undefined,
	{timeout = defaults.verifyTimeout, required = false, reuse, parallel}: Partial<Verify> = {},
): Verify | undefined =>
	argvs && {
		...{commands: argvs, timeout, required},
		...(reuse !== undefined && {reuse}),
		...(parallel !== undefined && {parallel}),
	};

const isNothing = (tree: YamlTree): boolean =>
	tree.type === 'list' ? tree.items.length === 0 : tree.type === 'scalar' && tree.value === 'disabled';

const refuseEmpty = ({line}: YamlTree, notes: Notes): undefined =>
	notes.problem(line, 'there is no command', 'Write "verify: disabled" if nothing should be verified.');
