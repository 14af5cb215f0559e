import type {Verify} from '../colony.ts';
import {defaults} from '../defaults.ts';
import {command, duration, fields, listOf, type Notes, type Reader, truth} from './reader.ts';
import type {YamlTree} from './yaml-tree.ts';

/** One argv (a command line, or a list of texts), or a list of several. */
export const commands: Reader<readonly (readonly string[])[]> = (tree, notes) => {
	if (tree.type === 'list' && tree.items.some(({type}) => type === 'list'))
		return listOf(command)(tree, notes);
	const argv = command(tree, notes);
	return argv && [argv];
};

const verifyFields = fields({commands, timeout: duration('14d'), required: truth}, ['commands']);

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
	{timeout = defaults.verifyTimeout, required = false}: Partial<Verify> = {},
): Verify | undefined => argvs && {commands: argvs, timeout, required};

const isNothing = (tree: YamlTree): boolean =>
	tree.type === 'list' ? tree.items.length === 0 : tree.type === 'scalar' && tree.value === 'disabled';

const refuseEmpty = ({line}: YamlTree, notes: Notes): undefined =>
	notes.problem(line, 'there is no command', 'Write "verify: disabled" if nothing should be verified.');
