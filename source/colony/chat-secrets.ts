/** The secrets of `chat.yaml`: values in the file, and the variables that it names. */
export type ChatSecrets = {readonly values: readonly string[]; readonly variables: readonly string[]};

/**
 * Reads the text itself, not its YAML. A file that is broken or not enabled still has secrets, and the YAML
 * reader for commands keeps a copy. If the end of a value is ambiguous, every possible reading is a secret.
 */
export const chatSecrets = (source: string): ChatSecrets => {
	const found = (name: string): string[] => [
		...new Set(
			[...source.matchAll(new RegExp(`\\b${name}["']?[ \\t]*:[ \\t]*([^\\n]*)`, 'g'))].flatMap(
				([, rest = '']) => readings(rest.trim()),
			),
		),
	];
	return {
		values: [...found('bot_token'), ...found('secret')],
		variables: [...found('bot_token_env'), ...found('secret_env')],
	};
};

const readings = (rest: string): readonly string[] => {
	const quoted = /^"((?:[^"\\]|\\.)*)"/.exec(rest);
	if (quoted !== null) return [unescaped(quoted[0]), quoted[1] ?? ''].filter(text => text !== '');
	const single = /^'((?:[^']|'')*)'/.exec(rest);
	if (single !== null) return [(single[1] ?? '').replaceAll("''", "'")].filter(text => text !== '');
	const plain = rest.replace(/\s#.*$/, '').trim();
	return [plain, (/^[^,}\]\s]*/.exec(plain) ?? [''])[0]].filter(text => text !== '');
};

const unescaped = (quoted: string): string => {
	try {
		return String(JSON.parse(quoted));
	} catch {
		return '';
	}
};
