import {appendFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {type ColonyOnDisk, createColony} from '../helpers/colony-on-disk.ts';

const address = 'nats://someone:p@ss@bus.example:4222';
const sentence = 'The bus at nats://bus.example:4222 cannot be used: this hive has no engine for it yet.';
const event = JSON.stringify({traceId: 'a', type: 'INSIGHT', payload: {kind: 'review.note', body: 'x'}});

const machineFile = ({home}: ColonyOnDisk): string => join(home, '.config/hive/scratch/config.yaml');
const traces = async (colony: ColonyOnDisk): Promise<number> =>
	(await colony.ask<{traces: object[]}>(['status'])).traces.length;

describe.each([
	['HIVE_BUS_URL', async () => ({HIVE_BUS_URL: address})],
	[
		'bus.url',
		async (colony: ColonyOnDisk) => {
			await appendFile(machineFile(colony), `bus:\n  url: ${address}\n`);
			return {};
		},
	],
	[
		'nats.url',
		async (colony: ColonyOnDisk) => {
			await appendFile(machineFile(colony), `"nats": {url: "${address}"}\n`);
			return {};
		},
	],
])('an address of a bus in %s', (_, give) => {
	test.each([
		['status'],
		['task', 'create', '--title', 'x', '--bee', 'builder'],
		['task', 'list', '--trace', 'a'],
		['run', '--until-idle'],
		['replay', 'a'],
		['kill', '--trace', 'a'],
		['logs', 'a'],
	])('keeps "hive %s %s" from opening the colony, and its password is not shown', async (...args) => {
		const colony = await createColony();
		const env = await give(colony);
		const {exitCode, stdout, stderr} = await colony.hive([...args.filter(Boolean), '--json'], {env});
		expect([exitCode, JSON.parse(stdout)]).toMatchObject([
			6,
			{
				ok: false,
				error: {code: 'bus_unreachable', message: sentence, hint: expect.stringContaining('HIVE_BUS_URL')},
			},
		]);
		expect(`${stdout}${stderr}`).not.toContain('p@ss');
	});

	test('keeps an event from a reactor that keeps its log on this machine', async () => {
		// As the command that must start fast can read it.
		const colony = await createColony({files: {'.hive/colony.yaml': 'slug: scratch\n'}});
		const reactor = colony.follow(['run']);
		await colony.ask(['task', 'create', '--title', 'x', '--bee', 'builder', '--autorun']);
		await reactor.event({kind: 'task.status', status: 'waiting_review'});
		const env = await give(colony);
		const {exitCode, stdout} = await colony.hive(['event', 'emit', '--stdin'], {env, input: event});
		expect([exitCode, JSON.parse(stdout)]).toMatchObject([
			6,
			{ok: false, error: 'bus_unreachable', details: [{message: sentence}]},
		]);
		await reactor.kill('SIGTERM');
	});

	test('is an error to the doctor, who looks at the rest all the same', async () => {
		const colony = await createColony();
		const env = await give(colony);
		const {exitCode, stdout} = await colony.hive(['doctor', '--json'], {env});
		expect([exitCode, JSON.parse(stdout).findings]).toMatchObject([
			5,
			[{rule: 'bus-address', level: 'error', message: sentence}, {level: 'advisory'}],
		]);
		expect(stdout).not.toContain('p@ss');
	});
});

test('an empty address is none', async () => {
	const colony = await createColony();
	await appendFile(machineFile(colony), 'bus: {url: ""}\n');
	const {exitCode} = await colony.hive(['status'], {env: {HIVE_BUS_URL: ''}});
	expect(exitCode).toBe(0);
	expect(await traces(colony)).toBe(0);
});
