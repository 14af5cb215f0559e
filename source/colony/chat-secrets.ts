/** What `chat.yaml` keeps secret: texts that stand in it, and variables that it names for them. */
export type ChatSecrets = {readonly values: readonly string[]; readonly variables: readonly string[]};

/**
 * Read from the text itself: a file that enables nothing, or is broken, holds what is as secret, and what
 * reads YAML for every command keeps a copy. Where it cannot be known how far a value goes, each end that it
 * may have is taken.
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
