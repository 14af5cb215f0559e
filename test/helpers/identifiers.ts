import {knownKinds} from '../../source/domain/event-kinds.ts';
import {verifierRole} from '../../source/domain/evidence.ts';

/** Texts that people copy or type as they are, so that identifiers in them are right. */
const copiedOrTyped: readonly (readonly [RegExp, string])[] = [
	[/"[^"\n]*"/g, 'a quoted command or value is typed'],
	[/\bhive [a-z][^\n│]*/g, 'a command is typed'],
	[/\bhive\/trace-\w+/g, 'a branch is typed'],
	[/\.hive\/\S*/g, 'a path is typed'],
	[/\bdefaults\.\w+/g, 'a setting of colony.yaml is typed'],
	[/\bmay_start_traces\b/g, 'a setting of a bee is typed'],
	[/\bIds? +\S+/g, 'a detail has the id for copying'],
];

const identifier = [
	/\b[a-z]+_[a-z_]+\b|(?<![\w])_[a-z]+\b/,
	/\b(trace|task|inv)-[0-9a-f]{4,}/,
	/\b[0-9a-f]{16}\b/,
	/\b(SIGNAL|INSIGHT|MUTATION|VERIFICATION)\b/,
	new RegExp(`\\b${verifierRole.replace('.', '\\.')}\\b`),
	new RegExp(
		`\\b(${knownKinds()
			.map(kind => kind.replaceAll('.', '\\.'))
			.join('|')})\\b`,
	),
];
const anyIdentifier = new RegExp(identifier.map(({source}) => source).join('|'), 'g');

/** Returns the identifiers in a text for people, without those that are copied or typed. */
export const identifiersIn = (text: string): readonly string[] =>
	copiedOrTyped.reduce((rest, [pattern]) => rest.replaceAll(pattern, ' '), text).match(anyIdentifier) ?? [];
