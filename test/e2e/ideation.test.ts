import {chmod, mkdir, mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, it, onTestFinished} from 'vitest';
import {openColony} from '../helpers/colony-on-disk.ts';
import {createRepository} from '../helpers/repository.ts';
import {isOver, terminalsIn} from '../helpers/talk.ts';

const spec =
	'{"type": "SIGNAL", "payload": {"kind": "spec.ready", "ref": "spec.md", "title": "A theme for the night"}}';
const plan = `{"type": "INSIGHT", "payload": {"kind": "task.plan", "ref": "spec.md",
 "tasks": [{"taskId": "colours", "title": "Name the colours", "body": "In theme.css", "dependsOn": []}]}}`;

/**
 * An agent tool that classifies as scout, discusses spec and plan as drone, and changes a file as builder.
 */
const agent = `#!/bin/sh
if [ "$HIVE_BEE" = scout ]; then
hive event emit --stdin <<'JSON'
{"type": "SIGNAL", "payload": {"kind": "feature.classified", "decision": "grill", "rationale": "Who needs it?"}}
JSON
fi
if [ "$HIVE_BEE" = drone ]; then
	artifacts="$HIVE_RUN_DIR/../artifacts"
	if [ -e "$artifacts/spec.md" ]; then
		echo "How shall we begin?"
		read -r answer
		echo '${plan}' | hive event emit --stdin --defer
	else
		echo "Who needs it?"
		read -r answer
		echo "# Dark theme, $answer" > "$artifacts/spec.md"
		echo '${spec}' | hive event emit --stdin
	fi
fi
[ "$HIVE_BEE" = builder ] && echo night > theme.css
echo Done
`;

/** A colony with the ideation flow, for a person who has this tool. */
const createIdeation = async () => {
	const home = await mkdtemp(join(tmpdir(), 'hive-home-'));
	onTestFinished(() => rm(home, {recursive: true, force: true, maxRetries: 5}));
	const bin = join(home, 'bin');
	await mkdir(bin);
	await writeFile(join(bin, 'claude'), agent);
	await chmod(join(bin, 'claude'), 0o755);
	const repository = await createRepository({'readme.md': 'A scratch colony.\n'});
	const colony = openColony(repository, home, {PATH: `${bin}:${process.env.PATH}`});
	await colony.ask(['init', '--with', 'ideation', '--agent', 'claude']);
	await repository.commit('hive init');
	return colony;
};

type Invite = {readonly inviteId: string; readonly [field: string]: string};

it('the ideation flow leads from a first idea through a spec to a plan that is carried out', async () => {
	const colony = await createIdeation();
	const {ask, hive} = colony;
	const run = terminalsIn(colony);
	const {traceId} = await ask<{traceId: string}>([
		'cue',
		'run',
		'feature',
		'Dark theme\nFor who reads at night.',
	]);
	const invites = async (status: string) =>
		(await ask<{invites: readonly Invite[]}>(['invite', 'list', '--status', status])).invites;
	const react = async () => (await hive(['run', '--until-idle'])).exitCode;
	/** Accepts the invite in a terminal, and answers the question of the drone. */
	const talk = async (inviteId = '', question: string, answer: string) => {
		const terminal = run(['invite', 'accept', inviteId]);
		await terminal.until(screen => screen.includes(question));
		terminal.type(`${answer}\r`);
		expect(await terminal.until(isOver)).toMatch(/drone completed.*left with 0/s);
	};

	expect(await react()).toBe(8);
	const [grilling] = await invites('pending');
	expect(grilling).toMatchObject({
		bee: 'drone',
		intent: 'grilling',
		task: expect.stringContaining('at night'),
	});
	await talk(grilling?.inviteId, 'Who needs it?', 'Whoever reads at night');
	expect(await react()).toBe(8);
	expect(await invites('completed')).toMatchObject([{intent: 'grilling', artifactRef: 'spec.md'}]);
	const [breakdown] = await invites('pending');
	expect(breakdown).toMatchObject({
		intent: 'breakdown',
		task: 'A theme for the night',
		artifactRef: 'spec.md',
	});
	await talk(breakdown?.inviteId, 'How shall we begin?', 'With the colours');
	expect(await react()).toBe(8);
	expect(await invites('completed')).toMatchObject([{intent: 'grilling'}, {intent: 'breakdown'}]);
	const {tasks: done} = await ask<{tasks: readonly object[]}>(['task', 'list', '--trace', traceId]);
	expect(done).toMatchObject([{taskId: 'colours', status: 'completed'}, {taskId: '_review'}]);
});
