import {readFileSync} from 'node:fs';
import {describe, expect, it} from 'vitest';
import {commandGroups} from '../../source/cli/commands.ts';
import {loadGroups} from '../../source/cli/describe.ts';
import {renderCommandSection, replaceCommandSection} from '../../source/cli/readme-section.ts';
import {parseBeeYaml} from '../../source/colony/parse/bee.ts';
import {parseColonyYaml} from '../../source/colony/parse/colony.ts';
import {readYaml} from '../../source/colony/parse/read-yaml.ts';

describe('the readme', () => {
	it('lists every command as declared', async () => {
		const readme = readFileSync('readme.md', 'utf8');
		const current = replaceCommandSection(readme, await loadGroups(commandGroups));
		await expect(current).toMatchFileSnapshot('../../readme.md');
	});

	it('keeps the text around the generated list', () => {
		const readme = 'before\n<!-- commands -->\nold\n<!-- /commands -->\nafter\n';
		expect(replaceCommandSection(readme, [{title: 'Work', commands: []}])).toBe(
			`before\n<!-- commands -->\n\n${renderCommandSection([{title: 'Work', commands: []}])}\n\n<!-- /commands -->\nafter\n`,
		);
	});

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

	it('needs markers for the generated list', () => {
		expect(() => replaceCommandSection('nothing', [])).toThrow('needs a line <!-- commands -->');
	});
});
