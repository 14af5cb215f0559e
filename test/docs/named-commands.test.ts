import {readdirSync, readFileSync} from 'node:fs';
import {expect, it} from 'vitest';
import {commandGroups} from '../../source/cli/commands.ts';
import {loadGroups} from '../../source/cli/describe.ts';
import {commonFlags} from '../../source/cli/flags.ts';
import {readArgv} from '../../source/cli/read-argv.ts';
import {findCommand, pathsOf} from '../../source/cli/route.ts';

const guides = readdirSync('docs/guide').map(name => `docs/guide/${name}`);

const commands = (await loadGroups(commandGroups)).flatMap(group => group.commands);

/** What is wrong with a command line in a text: an unknown command, or an unknown flag. */
const problemsOf = (line: string): readonly string[] => {
	const words = [...line.matchAll(/"[^"]*"|\S+/g)].map(([word]) => word);
	const route = findCommand(words.slice(1), pathsOf(commandGroups));
	if (!route.ok) return [`${line}: ${route.refusal.message}`];
	const flags = commands.find(({path}) => path === route.value.path)?.flags ?? {};
	return readArgv(route.value.rest, {...flags, ...commonFlags}).problems.map(
		({path, message}) => `${line}: ${path} ${message}`,
	);
};

it.each(['readme.md', ...guides])('each command in the text of %s is one of hive', file => {
	const named = [...readFileSync(file, 'utf8').matchAll(/`(hive(?: [^`\n]+)?)`/g)].map(
		([, line = '']) => line,
	);
	expect(named.flatMap(problemsOf)).toEqual([]);
});
