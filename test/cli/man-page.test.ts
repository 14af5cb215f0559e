import {expect, test} from 'vitest';
import {command} from '../../source/cli/command.ts';
import {commandGroups} from '../../source/cli/commands.ts';
import {loadGroups} from '../../source/cli/describe.ts';
import {renderManPage} from '../../source/cli/man-page.ts';
import {accepted} from '../../source/domain/errors.ts';

test('the manual page has a section for each command, and the exit codes', async () => {
	const groups = await loadGroups(commandGroups);
	const page = renderManPage(groups, '1.2.3');
	for (const {path} of groups.flatMap(({commands}) => commands))
		expect(page).toMatch(new RegExp(`^\\.SS "hive ${path.replaceAll('-', '\\\\-')}[ "]`, 'm'));
	expect(page).toMatch(/^\.B 8\nA person is awaited\.$/m);
	expect(page).toMatch(/^\.TH HIVE 1 "" "hive 1\.2\.3"/);
});

test('no line of a declaration is a request of roff', () => {
	const strange = command({
		...{path: 'strange', summary: '.so /etc/passwd', description: "'br\n\n\\fBbold \u2026"},
		flags: {},
		run: async () => accepted({json: {}, text: ''}),
	});
	const lines = renderManPage([{title: 'A "title"', commands: [strange]}], '1').split('\n');
	expect(lines).toContain('\\&.so /etc/passwd');
	expect(lines).toContain("\\&'br");
	expect(lines).toContain('\\efBbold \\[u2026]');
	expect(lines).toContain('.SH "A \\(dqTITLE\\(dq"');
});
