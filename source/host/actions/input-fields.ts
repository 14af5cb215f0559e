import * as z from 'zod/mini';
import {type Action, type FieldNotes, fieldNotes} from './action.ts';

/** A field of an action's input as faces ask for it. */
export type InputField = FieldNotes & {
	/** Its name in the input. */
	readonly name: string;
	readonly kind: 'text' | 'integer' | 'number' | 'boolean' | 'choice' | 'list' | 'document';
	readonly required: boolean;
	/** Set for a boolean that is on by default. */
	readonly initially?: true;
	/** Inclusive limits of an integer or a number. */
	readonly least?: number;
	readonly most?: number;
	/** Options of a choice. */
	readonly choices?: readonly string[];
};

/** Returns the fields that people fill in, in order. Fields for programs only are left out. */
export const inputFields = ({input}: Pick<Action, 'input'>): readonly InputField[] => {
	const {properties = {}, required = []} = z.toJSONSchema(input, {io: 'input', unrepresentable: 'any'});
	return Object.entries(input.shape).flatMap(([name, schema]) => {
		const notes = fieldNotes.get(schema);
		const property = properties[name];
		return notes === undefined || typeof property !== 'object'
			? []
			: [
					{
						...notes,
						...(notes.turnedOff === undefined ? {} : {initially: true as const}),
						...{name, required: required.includes(name), ...shapeOf(property)},
					},
				];
	});
};

const shapeOf = (
	property: z.core.JSONSchema.JSONSchema,
): Pick<InputField, 'kind' | 'least' | 'most' | 'choices'> => {
	const {type, enum: choices, minimum, maximum} = property;
	if (choices !== undefined) return {kind: 'choice', choices: choices.map(String)};
	if (type === 'boolean') return {kind: 'boolean'};
	if (type === 'array') return {kind: isOfObjects(property) ? 'document' : 'list'};
	if (type !== 'integer' && type !== 'number') return {kind: 'text'};
	return {
		kind: type,
		...(minimum === undefined ? {} : {least: minimum}),
		...(maximum === undefined ? {} : {most: maximum}),
	};
};

/** True for lists of objects, which come from a file and are not typed. */
const isOfObjects = ({items}: z.core.JSONSchema.JSONSchema): boolean =>
	typeof items === 'object' && !Array.isArray(items) && items.type === 'object';
