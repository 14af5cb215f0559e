import {fields, freeForm, mapOf, name, oneOf, type Reader, text} from './reader.ts';

/** A custom command: it publishes a signal of the colony, or runs a cue. */
export type CustomCommand = {
	readonly name: string;
	readonly description: string;
	readonly emits:
		| {readonly cue: string}
		| {readonly kind: string; readonly static: Readonly<Record<string, unknown>>};
};

/** Names of the gateway's own commands. */
const reserved: ReadonlySet<string> = new Set([
	...['start', 'status', 'help', 'invites', 'traces', 'energy', 'task', 'review', 'landing'],
]);

const readCommand = fields(
	{
		description: text,
		emit: oneOf(['signal']),
		type: oneOf(['SIGNAL']),
		kind: name,
		static: freeForm,
		cue: name,
	},
	['description'],
);

/** Reads `commands.custom` of `chat.yaml`. Each command either emits a signal of the colony or runs a cue. */
export const parseCommands: Reader<readonly CustomCommand[]> = (tree, notes) => {
	const read = mapOf(readCommand)(tree, notes);
	return [...(read ?? [])].flatMap(
		([given, {description = '', kind, cue, emit, static: fixed = {}}]): readonly CustomCommand[] => {
			const refuseCommand = (message: string): readonly CustomCommand[] => {
				notes.problem(tree.line, `the command "${given}" ${message}`);
				return [];
			};
			if (!/^[a-z][a-z0-9_]{0,31}$/.test(given))
				return refuseCommand('needs a name of small letters, digits and "_"');
			if (reserved.has(given)) return refuseCommand('is a command of hive itself');
			if ((kind === undefined) === (cue === undefined))
				return refuseCommand('needs either "emit: signal" with a "kind", or a "cue"');
			if (cue !== undefined)
				return emit === undefined
					? [{name: given, description, emits: {cue}}]
					: refuseCommand('has a cue, which says what is emitted');
			return kind === undefined ? [] : [{name: given, description, emits: {kind, static: fixed}}];
		},
	);
};
