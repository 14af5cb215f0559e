export type Json = Readonly<Record<string, unknown>>;

export const isRecord = (value: unknown): value is Json =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** The JSON object that a text is; nothing when it is none. */
export const parseRecord = (text: string): Json | undefined => {
	const trimmed = text.trim();
	if (!trimmed.startsWith('{') || !trimmed.endsWith('}')) return undefined;
	try {
		const value: unknown = JSON.parse(trimmed);
		return isRecord(value) ? value : undefined;
	} catch {
		return undefined;
	}
};

/** A field that is an object; empty when it is none. */
export const recordIn = (record: Json, name: string): Json => {
	const value = record[name];
	return isRecord(value) ? value : {};
};

/** The objects in a field that is a list. */
export const listIn = (record: Json, name: string): readonly Json[] => {
	const value = record[name];
	return Array.isArray(value) ? value.filter(isRecord) : [];
};

/** A field that is a text; empty when it is none. */
export const textIn = (record: Json, name: string): string => {
	const value = record[name];
	return typeof value === 'string' ? value : '';
};

/** The first of the fields that is there, when it is a number that is not negative. */
export const numberIn = (record: Json, ...names: readonly string[]): number | undefined => {
	const value = names.map(name => record[name]).find(found => found !== undefined);
	return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
};

/** The same for what is counted. */
export const countIn = (record: Json, ...names: readonly string[]): number | undefined => {
	const value = numberIn(record, ...names);
	return Number.isSafeInteger(value) ? value : undefined;
};

type Given<Fields> = {[Name in keyof Fields]?: Exclude<Fields[Name], undefined>};

/** Without the fields that are not given. */
export const given = <Fields extends Readonly<Record<string, unknown>>>(fields: Fields): Given<Fields> =>
	Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Given<Fields>;
