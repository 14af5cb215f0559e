import {readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, it} from 'vitest';
import {type ColonyOnDisk, createColony, publishesIsolated} from '../helpers/colony-on-disk.ts';

const server = `
	const server = require('node:net').createServer();
	server.listen(process.env.HIVE_PORT, '127.0.0.1', () => console.log('listens'));
`;
const serving = {
	worktree: true,
	publishes: publishesIsolated,
	command: ['sh', '$COLONY_ROOT/.hive/agents/builder.sh'],
	script: `
		node -e "${server.replaceAll('\n', '')}" >"$HIVE_RUN_DIR/server" 2>&1 &
		while ! grep -q . "$HIVE_RUN_DIR/server"; do :; done
		note "$HIVE_TRACE_ID $HIVE_PORT $(cat "$HIVE_RUN_DIR/server")"
		wait_for "$HIVE_TRACE_ID"
		echo made >made.txt
	`,
};

const create = (traceId: string) =>
	['task', 'create', '--trace', traceId, '--task', 'a', '--body', 'x', '--autorun'] as const;
const claimsOf = async ({home}: ColonyOnDisk): Promise<Record<string, string>> =>
	JSON.parse(await readFile(join(home, '.config/hive/ports.json'), 'utf8'));
const said = (notes: readonly string[]) => notes.filter(line => !line.startsWith('start'));

it('two agents run the same server side by side, each on the port of its worktree', async () => {
	const colony = await createColony({bees: {builder: serving}});
	const reactor = colony.follow();
	for (const traceId of ['one', 'two']) await colony.ask(create(traceId));
	const notes = said(await colony.notes(4));
	const claims = await claimsOf(colony);
	const portOf = (traceId: string) =>
		Object.keys(claims).find(first => claims[first] === join(colony.root, '.hive/worktrees', traceId));
	expect(portOf('one')).not.toBe(portOf('two'));
	expect([...notes].sort()).toEqual(['one', 'two'].map(traceId => `${traceId} ${portOf(traceId)} listens`));
	for (const traceId of ['one', 'two']) await colony.open(traceId);
	await reactor.event({kind: 'run.finished'});
});

it('a worktree keeps its block across reactors, and frees it when merged', async () => {
	const note = {...serving, script: 'note "$HIVE_TRACE_ID $HIVE_PORT"; date +%N >>made.txt'};
	const colony = await createColony({bees: {builder: note}});
	await colony.ask(create('one'));
	expect((await colony.hive(['run', '--until-idle'])).exitCode).toBe(8);
	await colony.ask(['task', 'create', '--trace', 'one', '--task', 'b', '--body', 'x', '--autorun']);
	expect((await colony.hive(['run', '--until-idle'])).exitCode).toBe(8);
	const [first, second] = said(await colony.notes());
	expect(second).toBe(first);
	await colony.ask(['proposal', 'approve', '--trace', 'one', '--task', '_review']);
	await colony.ask(create('two'));
	expect((await colony.hive(['run', '--until-idle'])).exitCode).toBe(8);
	expect(Object.values(await claimsOf(colony))).toEqual([join(colony.root, '.hive/worktrees/two')]);
});

it('a run without a free block continues without HIVE_PORT, and has a warning', async () => {
	const colony = await createColony({
		bees: {builder: {...serving, script: 'note "port: $(printenv HIVE_PORT || echo none)"'}},
	});
	await colony.ask(create('one'));
	const broken = join(colony.home, '.config/hive/ports.json');
	await writeFile(broken, 'not JSON');
	expect((await colony.hive(['run', '--until-idle'])).exitCode).toBe(0);
	expect(said(await colony.notes())).toEqual(['port: none']);
	const shown = await colony.ask(['task', 'show', '--trace', 'one', '--task', 'a']);
	expect(JSON.stringify(shown)).toContain(`HIVE_PORT is not set: ${broken} is not as hive writes it.`);
});
