import {symlink} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {createRig, scripted, traceId} from './rig.ts';

const folder = `.hive/runs/${traceId}/artifacts`;
const writes = (script: string) => ({writer: scripted(`cd "$HIVE_COLONY_ROOT/${folder}"; ${script}`)});

test('one event names the files that a run added or changed, with their titles', async () => {
	const rig = await createRig({
		bees: writes(
			'echo "## The plan ##" >plan.md; mkdir deep; echo 1 >deep/data.v2.json; echo b >changed.txt; rm gone.txt',
		),
	});
	await rig.repository.write(`${folder}/same.txt`, 'a\n');
	await rig.repository.write(`${folder}/changed.txt`, 'a\n');
	await rig.repository.write(`${folder}/gone.txt`, 'a\n');
	const {agentId} = await rig.run('writer');
	const events = await rig.events('artifact.written');
	expect(events.map(({type, payload}) => ({type, payload}))).toEqual([
		{
			type: 'SIGNAL',
			payload: {
				kind: 'artifact.written',
				artifacts: [
					{ref: `${folder}/changed.txt`, artifactKind: 'changed'},
					{ref: `${folder}/deep/data.v2.json`, artifactKind: 'data.v2'},
					{ref: `${folder}/plan.md`, artifactKind: 'plan', title: 'The plan ##'},
				],
			},
		},
	]);
	await rig.collect(agentId);
	expect(await rig.events('artifact.written')).toHaveLength(1);
	expect(await rig.audit(agentId)).toEqual(['artifact.written']);
});

test('hidden files, editor files and links that lead outside are not artifacts', async () => {
	const rig = await createRig({
		bees: writes(
			'echo x >.hidden; mkdir .git; echo x >.git/a; echo x >a~; echo x >b.swp; echo x >c.tmp; ln -s /etc/passwd out; ln -s plan.md in; echo x >plan.md; mkfifo pipe',
		),
	});
	await rig.run('writer');
	const [event] = await rig.events('artifact.written');
	expect(event?.payload.artifacts).toEqual([
		{ref: `${folder}/in`, artifactKind: 'in'},
		{ref: `${folder}/plan.md`, artifactKind: 'plan', title: 'x'},
	]);
});

test('a run without new files emits no artifact event, and a failed run never does', async () => {
	const rig = await createRig({
		bees: {writer: scripted('true'), failing: scripted(`echo x >"$HIVE_COLONY_ROOT/${folder}/x"; exit 1`)},
	});
	await rig.run('writer');
	await rig.run('failing', 'two');
	expect(await rig.events('artifact.written')).toEqual([]);
});

test('an artifact that the run announced itself is not announced again', async () => {
	const rig = await createRig({bees: writes('echo x >x.md')});
	const agentId = await rig.begin('writer');
	await rig.say({
		...{traceId, agentId, type: 'SIGNAL'},
		payload: {kind: 'artifact.written', artifacts: [{ref: 'mine', artifactKind: 'mine'}]},
	});
	await rig.ended(agentId);
	await rig.collect(agentId);
	expect(await rig.events('artifact.written')).toHaveLength(1);
});

test('a run without a baseline emits no artifact event, since older files cannot be told apart', async () => {
	const rig = await createRig({bees: writes('echo x >x.md')});
	const agentId = await rig.begin('writer');
	await rig.ended(agentId);
	await rig.files.remove(join(rig.directoryOf(agentId), 'artifacts-baseline.json'));
	expect((await rig.collect(agentId)).run.status).toBe('completed');
	expect(await rig.events('artifact.written')).toEqual([]);
});

test('a link in place of the artifact folder fails the run with a reason and is not followed', async () => {
	const rig = await createRig({bees: {writer: scripted('true')}});
	await rig.files.makeFolder(join(rig.root, `.hive/runs/${traceId}`));
	await symlink('/tmp', join(rig.root, folder));
	const {run} = await rig.look(await rig.begin('writer'));
	expect(run).toMatchObject({status: 'failed', summary: expect.stringContaining('is a symbolic link')});
});
