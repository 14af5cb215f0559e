import {isObject, type JsonObject} from '../domain/json.ts';

/** Returns a field that is an object, else an empty object. */
export const recordIn = (record: JsonObject, name: string): JsonObject => {
	const value = record[name];
	return isObject(value) ? value : {};
};

/** Returns the objects in a field that is a list. */
export const listIn = (record: JsonObject, name: string): readonly JsonObject[] => {
	const value = record[name];
	return Array.isArray(value) ? value.filter(isObject) : [];
};

/** Returns a field that is a string, else an empty string. */
export const textIn = (record: JsonObject, name: string): string => {
	const value = record[name];
	return typeof value === 'string' ? value : '';
};

/** Returns the first of these fields that is present, if it is a number of at least 0. */
export const numberIn = (record: JsonObject, ...names: readonly string[]): number | undefined => {
	const value = names.map(name => record[name]).find(found => found !== undefined);
	return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
};

/** The same for an integer. */
export const countIn = (record: JsonObject, ...names: readonly string[]): number | undefined => {
	const value = numberIn(record, ...names);
	return Number.isSafeInteger(value) ? value : undefined;
};

type Defined<Fields> = {[Name in keyof Fields]?: Exclude<Fields[Name], undefined>};

/** Drops the undefined fields. */
export const omitUndefined = <Fields extends Readonly<Record<string, unknown>>>(
	fields: Fields,
): Defined<Fields> =>
	Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<Fields>;
