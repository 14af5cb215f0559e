import {readFileSync} from 'node:fs';
import {describe, expect, it} from 'vitest';
import {parseBeeYaml} from '../../source/colony/parse/bee.ts';
import {parseColonyYaml} from '../../source/colony/parse/colony.ts';
import {readYaml} from '../../source/colony/parse/read-yaml.ts';

describe('the readme', () => {
	it.each([
		['.hive/colony.yaml', parseColonyYaml],
		['.hive/bees/builder.yaml', parseBeeYaml],
	])('shows a %s that parses without a finding', (file, parse) => {
		const readme = readFileSync('readme.md', 'utf8');
		const [, shown = ''] = readme.split(`\`\`\`yaml\n# ${file}\n`);
		const [text = ''] = shown.split('```');
		expect(text).toContain(':');
		expect(parse(file, readYaml(text))).toMatchObject({problems: [], warnings: []});
	});
});
