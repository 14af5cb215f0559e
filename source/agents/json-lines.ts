type Json = Readonly<Record<string, unknown>>;

export const isRecord = (value: unknown): value is Json =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** The JSON objects in a text: the text as a whole, else each line that is one. Whatever else there is falls out. */
export const readJson = (text: string): Json[] => {
	const whole = parse(text);
	if (whole !== undefined) return [whole];
	return text
		.split('\n')
		.map(parse)
		.filter(record => record !== undefined);
};

const parse = (text: string): Json | undefined => {
	const trimmed = text.trim();
	if (!trimmed.startsWith('{') || !trimmed.endsWith('}')) return undefined;
	try {
		const value: unknown = JSON.parse(trimmed);
		return isRecord(value) ? value : undefined;
	} catch {
		return undefined;
	}
};
