import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, it, onTestFinished} from 'vitest';
import {createColony, publishesIsolated} from '../helpers/colony-on-disk.ts';
import {builtCommand} from '../helpers/run-hive.ts';
import {openTerminal, type VirtualTerminal} from '../helpers/virtual-terminal.ts';

const builder = {
	worktree: true,
	publishes: publishesIsolated,
	prompt_template: 'builder.md',
	script: `note "prompt $(tr '\\n' '|' <"$HIVE_PROMPT_FILE")"
if [ -e greet.ts ] && grep -q whom "$HIVE_PROMPT_FILE"
then printf 'export const greet = () => "Hello, Ada";\\n' >greet.ts
else
	printf 'export const greet = () => "Hello";\\n' >greet.ts
	printf 'export const port = 8080;\\n' >config.ts
fi`,
};

/** Returns the control sequences that select one of 256 colours. */
const colours = (raw: string): readonly string[] => [...new Set(raw.match(/[34]8;5;\d+/g) ?? [])];

const begin = async () => {
	const colony = await createColony({
		bees: {builder},
		files: {'config.ts': 'export const port = 80;\n', '.hive/prompts/builder.md': '{{.Task}}\n'},
	});
	const open = (
		args: readonly string[] = [],
		env: Readonly<Record<string, string>> = {},
	): VirtualTerminal => {
		const argv = [process.execPath, builtCommand(), 'dashboard', ...args];
		const terminal = openTerminal(argv, {cwd: colony.root, env: {...colony.env, ...env}});
		onTestFinished(async () => {
			terminal.signal('SIGTERM');
			await terminal.ended;
			terminal.close();
		});
		return terminal;
	};
	await colony.ask(['task', 'create', '--task', 'greet', '--title', 'Greet people', '--body', 'Please']);
	return {colony, open};
};

/** Opens the diff of the only review. */
const look = async (terminal: VirtualTerminal): Promise<void> => {
	await terminal.until(screen => screen.includes('Review(1)'));
	terminal.type('3');
	await terminal.until(screen => screen.includes('main, merges cleanly, merge commit "Greet people"'));
	terminal.type('\t\t');
	await terminal.until(screen => /> ?\S.*\+\d+ -\d+/.test(screen));
};

it("a review is complete at five sizes, survives a kill with its comments, and reopens on the rework's changes", async () => {
	const {colony, open} = await begin();
	const dark = open();
	await look(dark);
	for (const [columns, rows] of [
		[60, 15],
		[200, 50],
		[80, 24],
		[160, 45],
		[120, 36],
	] as const) {
		dark.resize(columns, rows);
		await dark.until(screen => {
			const lines = screen.split('\n');
			// From 180 columns the sheet stands beside the diff.
			const isPaired = columns >= 140 && columns < 180;
			const sides = isPaired ? / 1 -export const port = 80; *│ ?1 \+/ : / 1 {3}-export const port = 80;/;
			return (
				lines.length === rows &&
				lines.at(-1) === '' &&
				lines[2]?.length === columns &&
				/ file 1\/2 \+2 -1 · \d+%/.test(screen) &&
				(columns < 120 || screen.includes('main, merges cleanly, merge commit "Greet people"')) &&
				/>config\.ts \+1 -1/.test(screen) &&
				sides.test(screen) &&
				/\] hunk.*\? (more|help)/.test(lines[rows - 2] ?? '')
			);
		});
	}
	expect(colours(dark.raw())).toContain('38;5;214');

	dark.type(' ');
	await dark.until(
		screen => screen.includes('file 1/2, 1 reviewed') && screen.includes('changed lines folded'),
	);
	dark.type('}jj');
	await dark.until(screen => />\s+1 \+export const greet/.test(screen));
	dark.type('\r');
	await dark.until(screen => screen.includes('Comment · greet.ts, line 1'));
	dark.type('quite Ada?');
	await dark.until(screen => screen.includes('│ quite Ada?'));
	await dark.press('\x04', screen => !screen.includes('Comment · greet.ts, line 1'));
	await dark.until(screen => screen.includes('◆ you: quite Ada?'));
	// The comment is drawn slightly before it is saved.
	const kept = join(colony.env.HOME ?? '', '.config/hive/scratch/review.json');
	await expect.poll(() => readFile(kept, 'utf8').catch(() => '')).toContain('quite Ada?');
	dark.signal('SIGKILL');
	await dark.ended;

	const light = open(['--theme', 'light']);
	await look(light);
	await light.until(screen => screen.includes('◆ you: quite Ada?') && screen.includes(', 1 reviewed'));
	light.type('x');
	await light.until(screen => screen.includes('Sends 1 comment on lines along.'));
	light.type('by whom.');
	await light.until(screen => screen.includes('│ by whom.'));
	await light.press('\x04', screen => !screen.includes('Sends 1 comment on lines along.'));
	const prompts = async () => (await colony.notes()).filter(note => note.startsWith('prompt '));
	await expect.poll(async () => (await prompts()).length).toBe(2);
	expect((await prompts())[1]).toContain(
		'by whom.||greet.ts, line 1:|```|export const greet = () => "Hello";|```|quite Ada?|',
	);
	await light.until(screen => screen.includes('since you looked') && screen.includes('"Hello, Ada"'));
	await light.until(screen => screen.includes(' file 1/1 ') && !screen.includes('config.ts'));
	light.type('s');
	await light.until(screen => screen.includes('whole (s: since') && screen.includes('file 1/2, 1 reviewed'));
	expect(light.screen().join('\n')).not.toContain('quite Ada?');
	expect(colours(light.raw())).toContain('48;5;253');
	expect(colours(light.raw())).not.toContain('38;5;214');
	light.type('q');
	await light.ended;

	const plain = open([], {NO_COLOR: '1', HIVE_ASCII: '1'});
	await plain.until(screen => screen.includes('Review(1)'));
	plain.type('3');
	await plain.until(screen => screen.includes('main, merges cleanly'));
	expect(plain.screen().join('')).toMatch(/^[ -~]*$/);
	plain.type('a');
	await plain.until(screen => screen.includes('y Merge') && /Merges \d+ file/.test(screen));
	await plain.press('y', screen => !screen.includes('y Merge'));
	await plain.until(screen => screen.includes('Nothing waits for you'));
	expect(colours(plain.raw())).toEqual([]);
	await expect.poll(() => colony.read('greet.ts').catch(() => 'none')).toContain('Hello, Ada');
});
