import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {type Nuc, parseNuc, renderNuc} from '../../source/colony/nuc.ts';

const nuc: Nuc = {
	name: 'review',
	description: '',
	bees: new Map([['guard', 'adapter: alpha\n']]),
	prompts: new Map([['_partials/how.md', 'Look.\n']]),
	cues: new Map(),
};

/** Returns the problems of a nuc with this text in its `spec`. */
const problemsOf = async (spec: string): Promise<string> => {
	const text = `apiVersion: hive/v1\nkind: Nuc\nmetadata: {name: n}\nspec:\n${spec}`;
	const {value, problems} = await parseNuc('n.yaml', text);
	expect(value).toBeUndefined();
	return problems.map(({path, message}) => `${path} ${message}`).join('\n');
};

describe('a nuc', () => {
	it('is the same after writing and reading, whatever its texts contain', async () => {
		const texts = (name: string) =>
			fc.dictionary(fc.constantFrom(`a${name}`, `b${name}`), fc.string({unit: 'grapheme'}).filter(Boolean));
		await fc.assert(
			fc.asyncProperty(texts(''), texts('.md'), fc.string().filter(Boolean), async (bees, prompts, name) => {
				const given: Nuc = {
					name,
					description: '',
					bees: new Map(Object.entries(bees)),
					prompts: new Map(Object.entries(prompts)),
					cues: new Map([['go', 'emit: signal\r\nkind: go\n']]),
				};
				const {value, problems} = await parseNuc('n.yaml', renderNuc(given));
				expect(problems).toEqual([]);
				expect(value).toEqual(given);
			}),
		);
	});

	it('is written identically, whatever the order of its pieces', () => {
		const pieces = [...nuc.bees, ['builder', 'adapter: beta\n'] as const];
		const one = renderNuc({...nuc, bees: new Map(pieces)});
		expect(renderNuc({...nuc, bees: new Map(pieces.reverse())})).toBe(one);
	});

	it.each([
		['bees', '../../x'],
		['bees', '/etc/passwd'],
		['bees', 'guard.local'],
		['bees', '.hidden'],
		['cues', '../feature'],
		['cues', 'feature.local'],
		['prompts', '../../x.md'],
		['prompts', '/etc/x.md'],
		['prompts', 'a/../../x.md'],
		['prompts', './a.md'],
		['prompts', 'a//b.md'],
		['prompts', '~/x.md'],
		['prompts', 'a\\..\\x.md'],
		['prompts', 'x.local.md'],
		['prompts', '.git/x.md'],
		['prompts', 'run.sh'],
	])('cannot name a piece outside its folder: %s %s', async (kind, name) => {
		expect(await problemsOf(`  ${kind}:\n    ${JSON.stringify(name)}: text\n`)).toContain(
			`n.yaml:6 ${JSON.stringify(name).replaceAll('\\\\', '\\')} is not`,
		);
	});

	it('is refused with another kind, unknown keys, no text or no pieces', async () => {
		const other = await parseNuc(
			'n.yaml',
			'apiVersion: hive/v2\nkind: Hive\nmetadata: {}\nspec: {}\nrun: x\n',
		);
		expect(other.problems).toHaveLength(4);
		expect(await problemsOf('  bees: {guard: {adapter: alpha}}\n')).toContain('expected text');
		expect(await problemsOf('  bees: {}\n')).toContain('holds nothing');
	});

	it('cannot grow in the reading: nested aliases are refused at once', async () => {
		const levels = Array.from({length: 30}, (_, at) => `    a${at + 1}: &a${at + 1} [*a${at}, *a${at}]`);
		expect(await problemsOf(`  bees:\n    a0: &a0 text\n${levels.join('\n')}\n`)).not.toBe('');
	});

	it("is refused if it is larger than hive's maximum for files", async () => {
		const {problems} = await parseNuc('n.yaml', `#${'x'.repeat(300_000)}`);
		expect(problems[0]?.message).toContain('256 KiB');
	});
});
