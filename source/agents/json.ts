import {isObject, type JsonObject} from '../domain/json.ts';

/** A field that is an object; empty when it is none. */
export const recordIn = (record: JsonObject, name: string): JsonObject => {
	const value = record[name];
	return isObject(value) ? value : {};
};

/** The objects in a field that is a list. */
export const listIn = (record: JsonObject, name: string): readonly JsonObject[] => {
	const value = record[name];
	return Array.isArray(value) ? value.filter(isObject) : [];
};

/** A field that is a text; empty when it is none. */
export const textIn = (record: JsonObject, name: string): string => {
	const value = record[name];
	return typeof value === 'string' ? value : '';
};

/** The first of the fields that is there, when it is a number that is not negative. */
export const numberIn = (record: JsonObject, ...names: readonly string[]): number | undefined => {
	const value = names.map(name => record[name]).find(found => found !== undefined);
	return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
};

/** The same for what is counted. */
export const countIn = (record: JsonObject, ...names: readonly string[]): number | undefined => {
	const value = numberIn(record, ...names);
	return Number.isSafeInteger(value) ? value : undefined;
};

type Given<Fields> = {[Name in keyof Fields]?: Exclude<Fields[Name], undefined>};

/** Without the fields that are not given. */
export const given = <Fields extends Readonly<Record<string, unknown>>>(fields: Fields): Given<Fields> =>
	Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Given<Fields>;
