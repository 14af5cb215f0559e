// Holds the imports of `source/` against table.json: a folder may import itself and the folders in its row;
// one inside another has a row of its own where it may import less. A folder without a row, a package outside
// its owner and a run that cruised too few modules all fail.
import {existsSync, readdirSync, readFileSync} from 'node:fs';
import {cruise} from 'dependency-cruiser';
import extractTSConfig from 'dependency-cruiser/config-utl/extract-ts-config';

const table = JSON.parse(readFileSync(new URL('table.json', import.meta.url), 'utf8'));
const folders = readdirSync('source', {withFileTypes: true})
	.filter(entry => entry.isDirectory())
	.map(entry => entry.name);
const files = readdirSync('source', {recursive: true}).filter(name => /\.tsx?$/.test(name));

const packageOwners = {
	ink: ['dashboard'],
	react: ['dashboard'],
	hono: ['console'],
	'@hono': ['console'],
	preact: ['console/page'],
	'@photostructure/sqlite': ['drivers/sqlite-bus'],
	'@nats-io': ['drivers/nats-bus'],
	'@lydell/node-pty': ['drivers/pty.ts'],
	'@xterm/headless': ['screen'],
	diff: ['review'],
	yaml: ['colony', 'runs'],
	child_process: ['drivers'],
	execa: ['drivers'],
	'@modelcontextprotocol': ['mcp'],
	grammy: ['chat/telegram'],
	'@octokit': ['drivers/forge/github'],
};

/**
 * The page knows the types of the answers that it reads, and the store of the dashboard the type of its
 * world.
 */
const exceptions = {
	'dashboard/store': ['^source/dashboard/world\\.ts$'],
	'console/page': ['^source/console/(answers|problem)\\.ts$'],
};

const ownPath = folder => `^source/${folder}/`;
const forbidden = [
	{
		name: 'no-cycle',
		severity: 'error',
		from: {path: '^source'},
		to: {circular: true},
	},
	...Object.entries(table).map(([folder, allowed]) => ({
		name: `${folder}-imports`,
		severity: 'error',
		from: {path: ownPath(folder)},
		to: {
			path: '^source/',
			pathNot: [folder, ...allowed].map(ownPath).concat(exceptions[folder] ?? []),
		},
	})),
	{
		// Only what joins them knows of a platform: cards, tokens, policy and what was told already are the same
		// for each.
		name: 'chat-platforms',
		severity: 'error',
		from: {path: '^source/chat/[^/]+$', pathNot: '^source/chat/(chats|main|run-gateway)\\.ts$'},
		to: {path: '^source/chat/(telegram|webhook)/'},
	},
	...Object.entries(packageOwners).map(([name, owners]) => ({
		name: `${name}-owner`,
		severity: 'error',
		from: {path: '^source/', pathNot: owners.map(owner => `^source/${owner}`)},
		to: {path: `(^|node_modules/)(node:)?${name}(/|$)`},
	})),
];

const {output} = await cruise(
	['source'],
	{ruleSet: {forbidden}, validate: true, tsPreCompilationDeps: true, doNotFollow: {path: 'node_modules'}},
	undefined,
	{tsConfig: extractTSConfig('tsconfig.json')},
);
const problems = [
	...folders
		.filter(folder => !(folder in table))
		.map(folder => `source/${folder} has no row in test/direction/table.json`),
	...Object.keys(table)
		.filter(folder => !existsSync(`source/${folder}`))
		.map(folder => `table.json names source/${folder}, which is not there`),
	...output.summary.violations.map(({rule, from, to}) => `${rule.name}: ${from} imports ${to}`),
];
for (const pattern of Object.values(exceptions).flat())
	if (!output.modules.some(({source}) => new RegExp(pattern).test(source)))
		problems.push(`the exception ${pattern} matches no file`);
const cruised = output.modules.filter(({source}) => source.startsWith('source/')).length;
if (cruised < files.length) problems.push(`only ${cruised} of ${files.length} modules were read`);
for (const problem of problems) console.error(problem);
console.log(`${cruised} modules, ${problems.length} problems`);
process.exitCode = problems.length === 0 ? 0 : 1;
