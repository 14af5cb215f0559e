const escapes: Readonly<Record<string, string>> = {
	...{a: '\u0007', b: '\b', t: '\t', n: '\n', v: '\v', f: '\f', r: '\r'},
};

/**
 * Reads a path as git prints it, quoted if it has unusual characters. The first `skipped` characters (`a/`)
 * are not part of it. Empty for `/dev/null`.
 */
export const parseQuotedPath = (printed: string, skipped: number): string => {
	if (printed === '/dev/null') return '';
	if (!printed.startsWith('"')) return printed.replace(/\t$/, '').slice(skipped);
	const bytes: number[] = [];
	for (const [, octal, letter, plain = ''] of printed
		.slice(1, -1)
		.matchAll(/\\([0-7]{3})|\\(.)|([^\\]+)/gsu)) {
		if (octal !== undefined) bytes.push(Number.parseInt(octal, 8));
		else bytes.push(...new TextEncoder().encode(letter === undefined ? plain : (escapes[letter] ?? letter)));
	}
	return new TextDecoder().decode(new Uint8Array(bytes)).slice(skipped);
};
