import {rm, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {type ColonyOnDisk, createColony, publishesIsolated} from '../helpers/colony-on-disk.ts';

const create = ['task', 'create', '--trace', 't', '--task', 'a', '-b', 'x', '--bee', 'maker'] as const;

/** A bee that emits its verdict while its run is open. */
const maker = {
	worktree: true,
	publishes: [...publishesIsolated, {type: 'VERIFICATION', kind: 'verification.success'}],
	completion_contract: {
		required: [{type: 'VERIFICATION', kind_one_of: ['verification.success'], count: 1}],
	},
	verify: {commands: [['true']], required: true},
	script: `echo made >made.txt; note halfway; wait_for go
		emit '{"type":"VERIFICATION","payload":{"kind":"verification.success","summary":"ok"}}'; echo Made it`,
};

const fileOf = (colony: ColonyOnDisk): string => join(colony.root, '.hive/bees/maker.yaml');

const changes: readonly [string, string, (colony: ColonyOnDisk) => Promise<void>][] = [
	['goes', 'There is no bee "maker" any more', colony => rm(fileOf(colony))],
	[
		'breaks',
		'The bee "maker" cannot be used any more: .hive/bees/maker.yaml:3: ',
		colony => writeFile(fileOf(colony), 'adapter: script\ncommand: [sh\n'),
	],
];

const configured = 'the configuration changed: .hive/bees/maker.yaml';

describe('a run whose bee file, in its accepted version,', () => {
	it.each(changes)(
		'%s without a reactor ends with the bee as it was at the start',
		async (_, words, change) => {
			const colony = await createColony({bees: {maker}});
			await colony.ask(create);
			const reactor = colony.follow();
			await colony.notes(2);
			await reactor.kill('SIGKILL');
			await change(colony);
			await colony.hive(['doctor', '--accept']);
			await colony.open('go');
			await colony.hive(['run', '--until-idle']);

			const log = await colony.replay('t');
			const payloads = (kind: string) => log.map(({payload}) => payload).filter(found => found.kind === kind);
			expect(payloads('run.finished')[0]).toMatchObject({
				status: 'completed',
				summary: 'Made it',
				warnings: [expect.stringContaining(words), expect.stringContaining(configured)],
			});
			expect(payloads('run.summary')).toMatchObject([{summary: 'Made it'}]);
			expect(payloads('code.proposal.isolated')).toMatchObject([{taskId: 'a', verification: 'required'}]);
		},
	);

	it('goes while a reactor runs ends with the bee as it was at the start', async () => {
		const colony = await createColony({bees: {maker}});
		await colony.ask(create);
		const reactor = colony.follow();
		await colony.notes(2);
		await rm(fileOf(colony));
		await colony.hive(['doctor', '--accept']);
		await reactor.says('.hive/bees/maker.yaml is read again.');
		await colony.open('go');
		const finished = await reactor.event({kind: 'run.finished'});
		expect(finished.payload).toMatchObject({
			status: 'completed',
			warnings: [
				expect.stringContaining('There is no bee "maker" any more'),
				expect.stringContaining(configured),
			],
		});
	});
});
