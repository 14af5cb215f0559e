import fc from 'fast-check';
import {expect, test} from 'vitest';
import {createRedactor, redactDeep, redacted} from '../../source/domain/redact.ts';

const key = 'sk-test+0123/456';

test('redaction removes a secret in plain text, in JSON and in base64 at any offset', () => {
	const redact = createRedactor([key, 'line\n"two"']);
	expect(redact(`a ${key}. b ${key}`)).toBe(`a ${redacted}. b ${redacted}`);
	expect(redact(JSON.stringify({text: 'line\n"two"'}))).toBe(`{"text":"${redacted}"}`);
	for (const before of ['', 'u:', 'me:', 'user:']) {
		const encoded = btoa(`${before}${key}`);
		expect(redact(encoded)).toContain(redacted);
		expect(redact(encoded).replace(redacted, '').length).toBeLessThan(before.length * 2 + 6);
	}
});

test('redaction keeps words too short to be a secret, and text without a secret', () => {
	expect(createRedactor(['short', ''])('a short text')).toBe('a short text');
	expect(createRedactor([])(key)).toBe(key);
});

test('redaction removes the whole secret when another secret is a prefix of it', () => {
	expect(createRedactor(['abcdef', 'abcdefghij'])('abcdefghij abcdef')).toBe(`${redacted} ${redacted}`);
});

test('redaction leaves no form of any secret in any text', () => {
	const secret = fc
		.string({minLength: 6, maxLength: 40, unit: 'grapheme-ascii'})
		.filter(text => !redacted.includes(text));
	fc.assert(
		fc.property(
			fc.array(secret, {minLength: 1, maxLength: 4}),
			fc.string(),
			fc.string(),
			(secrets, before, after) => {
				const redact = createRedactor(secrets);
				for (const value of secrets) {
					const [plain, json] = [
						redact(`${before}${value}${after}`),
						redact(JSON.stringify([before, value])),
					];
					expect(plain).toContain(redacted);
					expect(plain.replaceAll(redacted, '\n')).not.toContain(value);
					expect(json).toContain(redacted);
				}
			},
		),
	);
});

test('redacted values keep their shape and the fields that the ledger needs', () => {
	const redact = createRedactor([key]);
	const value = {kind: key, bee: key, summary: `is ${key}`, list: [{title: key, count: 1}], none: null};
	expect(redactDeep(redact, value)).toEqual({
		kind: key,
		bee: key,
		summary: `is ${redacted}`,
		list: [{title: redacted, count: 1}],
		none: null,
	});
});

test('redaction finishes quickly on a text of near matches', () => {
	const redact = createRedactor([`${'a'.repeat(40)}b`]);
	const text = 'a'.repeat(8_000_000);
	expect(redact(text) === text).toBe(true);
});
