import {readFileSync} from 'node:fs';
import {expect, it} from 'vitest';
import {parseBeeYaml} from '../../source/colony/parse/bee.ts';
import {parseColonyYaml} from '../../source/colony/parse/colony.ts';
import {readYaml} from '../../source/colony/parse/read-yaml.ts';

it.each([
	['settings.md', '.hive/colony.yaml', parseColonyYaml],
	['writing-bees.md', '.hive/bees/builder.yaml', parseBeeYaml],
])('%s shows a %s that parses without a finding', (page, file, parse) => {
	const [, shown = ''] = readFileSync(`docs/guide/${page}`, 'utf8').split(`\`\`\`yaml\n# ${file}\n`);
	const [text = ''] = shown.split('```');
	expect(text).toContain(':');
	expect(parse(file, readYaml(text))).toMatchObject({problems: [], warnings: []});
});
