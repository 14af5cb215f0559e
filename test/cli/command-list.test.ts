import {readFileSync} from 'node:fs';
import {expect, test} from 'vitest';
import {renderCommandList, replaceCommandList} from '../../source/cli/command-list.ts';
import {commandGroups} from '../../source/cli/commands.ts';
import {loadGroups} from '../../source/cli/describe.ts';

const page = 'docs/guide/commands.md';

test('the page of commands lists each command as it is declared', async () => {
	const current = replaceCommandList(readFileSync(page, 'utf8'), await loadGroups(commandGroups));
	await expect(current).toMatchFileSnapshot(`../../${page}`);
});

test('the text around the generated list stays', () => {
	const text = 'before\n<!-- commands -->\nold\n<!-- /commands -->\nafter\n';
	expect(replaceCommandList(text, [{title: 'Work', commands: []}])).toBe(
		`before\n<!-- commands -->\n\n${renderCommandList([{title: 'Work', commands: []}])}\n\n<!-- /commands -->\nafter\n`,
	);
});

test('a page without markers for the list is refused', () => {
	expect(() => replaceCommandList('nothing', [])).toThrow('needs a line <!-- commands -->');
});
