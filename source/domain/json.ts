export type JsonObject = Readonly<Record<string, unknown>>;

/** True for a JSON object, which is neither null nor a list. */
export const isObject = (value: unknown): value is JsonObject =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** Parses the JSON object in a text; `undefined` for any other text, also a torn one. */
export const parseObject = (text: string): JsonObject | undefined => {
	const trimmed = text.trim();
	if (!trimmed.startsWith('{') || !trimmed.endsWith('}')) return undefined;
	try {
		const value: unknown = JSON.parse(trimmed);
		return isObject(value) ? value : undefined;
	} catch {
		return undefined;
	}
};
