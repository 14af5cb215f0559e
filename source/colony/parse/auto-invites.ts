import {eventTypes} from '../../domain/event.ts';
import {type DoneWhen, isOfInvites} from '../../domain/invite.ts';
import type {AutoInvite, Drawn} from '../colony.ts';
import {fields, listOf, mapOf, name, oneOf, type Reader, text} from './reader.ts';
import type {YamlTree} from './yaml-tree.ts';

const kind: Reader<string> = (tree, notes) => {
	const read = name(tree, notes);
	return read !== undefined && isOfInvites(read)
		? notes.problem(tree.line, `${read} is an event about invites, which cannot ask for an invite`)
		: read;
};

const eventFields = fields({type: oneOf(eventTypes), kind}, ['type', 'kind']);

const event: Reader<AutoInvite['when']> = (tree, notes) => {
	const read = eventFields(tree, notes);
	return read?.type === undefined || read.kind === undefined ? undefined : {type: read.type, kind: read.kind};
};

/** Values are compared as text, in whichever YAML type they are written. */
const value: Reader<string> = (tree, notes) =>
	tree.type === 'scalar' && tree.value !== null
		? String(tree.value)
		: notes.problem(tree.line, 'expected text, a number, true or false');

const match: Reader<Readonly<Record<string, string>>> = (tree, notes) => {
	const read = mapOf(value)(tree, notes);
	return read && Object.fromEntries(read);
};

const drawnFields = {from: text, default: text};

/** Plain text is short for `{default: <text>}`. */
const orPlain =
	<Value extends Drawn>(read: Reader<Value>): Reader<Value | Drawn> =>
	(tree: YamlTree, notes) => {
		if (tree.type !== 'scalar') return read(tree, notes);
		const plain = text(tree, notes);
		return plain === undefined ? undefined : {default: plain};
	};

const drawn = orPlain(fields(drawnFields));

const taskFields = fields({
	...drawnFields,
	from_trace_kind: name,
	from_trace_field: text,
	prefix: text,
	fallback_from: text,
});

const readTask: Reader<AutoInvite['task']> = (tree, notes) => {
	const read = taskFields(tree, notes);
	if (read === undefined) return undefined;
	const {from_trace_kind: traceKind, from_trace_field: field, prefix = '', fallback_from} = read;
	if ((traceKind === undefined) !== (field === undefined))
		return notes.problem(tree.line, '"from_trace_kind" and "from_trace_field" go together');
	return {
		...(traceKind && field && {recall: {kind: traceKind, field, prefix}}),
		...(fallback_from && {fallbackFrom: fallback_from}),
		...(read.from && {from: read.from}),
		...(read.default && {default: read.default}),
	};
};

const sourceField = fields({from: text}, ['from']);

const doneFields = fields({when: event, match, require_file: sourceField, set_artifact_ref: sourceField}, [
	'when',
	'require_file',
]);

const readDone: Reader<DoneWhen> = (tree, notes) => {
	const read = doneFields(tree, notes);
	const file = read?.require_file?.from;
	if (read?.when === undefined || file === undefined) return undefined;
	const ref = read.set_artifact_ref?.from;
	return {
		when: read.when,
		...(read.match && {match: read.match}),
		requireFile: {from: file},
		...(ref && {setArtifactRef: {from: ref}}),
	};
};

const inviteFields = fields(
	{
		bee: drawn,
		intent: drawn,
		task: orPlain(readTask),
		// Every invite starts as pending. The key is accepted because earlier tools required it.
		status: oneOf(['pending']),
		artifactRef: drawn,
		done_when: readDone,
	},
	['bee'],
);

const ruleFields = fields(
	{when: event, match, invite: inviteFields, dedupe: listOf(oneOf(['bee', 'intent', 'artifactRef']))},
	['when', 'invite'],
);

const rule: Reader<AutoInvite> = (tree, notes) => {
	const read = ruleFields(tree, notes);
	if (read?.when === undefined || read.invite?.bee === undefined) return undefined;
	const {bee, intent = {}, task = {}, artifactRef = {}, done_when: doneWhen} = read.invite;
	return {
		line: tree.line,
		when: read.when,
		match: read.match ?? {},
		...{bee, intent, task, artifactRef},
		...(doneWhen && {doneWhen}),
		dedupe: read.dedupe ?? [],
	};
};

/** `auto_invites` of `.hive/colony.yaml` (docs/rules.md §9). */
export const autoInvites: Reader<readonly AutoInvite[]> = listOf(rule);
