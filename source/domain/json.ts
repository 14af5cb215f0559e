export type JsonObject = Readonly<Record<string, unknown>>;

/** Neither null nor a list. */
export const isObject = (value: unknown): value is JsonObject =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** The JSON object that a text holds. Undefined for any other text, torn ones included. */
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
