import {execFileSync} from 'node:child_process';
import {describe, expect, it} from 'vitest';
import {command} from '../../source/cli/command.ts';
import {renderBash, renderFish, renderZsh} from '../../source/cli/complete.ts';
import {boolean, choice, text} from '../../source/cli/flags.ts';
import {accepted} from '../../source/domain/errors.ts';

const run = async () => accepted({json: {}, text: ''});
const commands = [
	command({path: 'status', summary: 'Show what is going on.', flags: {}, run}),
	command({
		path: 'task create',
		summary: "Publish a task, the trace's first or another.",
		flags: {
			body: text({summary: 'What to do.', short: 'b'}),
			review: choice({summary: 'Who reviews.', choices: ['none', 'final']}),
			merge: boolean({summary: 'Leave the branch.', initially: true}),
		},
		run,
	}),
	command({
		path: 'task retry',
		summary: 'Retry a task.',
		flags: {
			trace: text({summary: 'The trace.', complete: 'traces'}),
			task: text({summary: 'The task.', complete: 'tasks'}),
			file: text({summary: 'A file.', complete: 'files'}),
		},
		run,
	}),
	command({
		path: 'replay',
		summary: 'Print events.',
		flags: {},
		arguments: {trace: text({summary: 'The trace.', complete: 'traces'})},
		run,
	}),
	command({path: 'task list', summary: 'List tasks.', flags: {}, run}),
	command({
		path: 'completion',
		summary: 'Print a script.',
		flags: {},
		arguments: {shell: choice({summary: 'The shell.', choices: ['bash', 'fish']})},
		run,
	}),
];

/** Returns what bash offers for the last of these words. */
const offered = (...words: string[]): string[] => {
	const line = ['hive', ...words].map(word => `'${word}'`).join(' ');
	const script = `${renderBash(commands)}
hive() { case "$*" in
	'completion --list traces') printf '%s\\n' 'trace-1 Add "$(touch pwned)"' 'trace-2 Other' ;;
	'completion --list tasks --trace trace-1') echo 'a planned: First' ;;
	'completion --list tasks -C /elsewhere --trace trace-2') echo 'b' ;;
	*) echo "hive: $*" >&2; return 1 ;;
esac; }
COMP_WORDS=(${line}); COMP_CWORD=${words.length}; _hive; printf '%s\\n' "\${COMPREPLY[@]}"`;
	return execFileSync('bash', ['-c', script], {encoding: 'utf8'}).split('\n').filter(Boolean);
};

describe('the bash script', () => {
	it.each([
		['first words', ['sta'], ['status']],
		['the traces there are', ['task', 'retry', '--trace', ''], ['trace-1', 'trace-2']],
		['the tasks of the trace that is named', ['task', 'retry', '--trace', 'trace-1', '--task', ''], ['a']],
		[
			'what another colony has',
			['task', 'retry', '-C', '/elsewhere', '--trace', 'trace-2', '--task', ''],
			['b'],
		],
		['nothing when hive has no answer', ['task', 'retry', '--task', ''], []],
		['files for a file, which is the shell’s own business', ['task', 'retry', '--file', ''], []],
		['the traces there are for an argument', ['replay', 'trace-2'], ['trace-2']],
		['flags and no traces once a dash is typed', ['replay', '--j'], ['--json']],
		['second words', ['task', ''], ['create', 'retry', 'list', '--json', '--path', '--color', '--help']],
		['flags of the command that is named', ['task', 'create', '--b'], ['--body']],
		['a switch that is on by its --no-', ['task', 'create', '--no'], ['--no-merge']],
		['the choices of a flag', ['task', 'create', '--review', ''], ['none', 'final']],
		['the choices of an argument', ['completion', 'f'], ['fish']],
		['nothing for a value that can be anything', ['task', 'create', '--body', ''], []],
		['words after a common flag', ['--json', 'ta'], ['task']],
	])('offers %s', (_, words, expected) => {
		expect(offered(...words)).toEqual(expected);
	});
});

describe('the scripts of the other shells', () => {
	it.each([
		['zsh', renderZsh],
		['fish', renderFish],
	])('match their goldens: %s', async (shell, render) => {
		await expect(`${render(commands)}\n`).toMatchFileSnapshot(`../golden/completion/sample.${shell}`);
	});
});
