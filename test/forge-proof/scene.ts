import {appendFile, chmod, mkdtemp, readFile, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {Trace} from '../../source/domain/trace.ts';
import {createSystemClock} from '../../source/drivers/clock.ts';
import {openSqliteBus} from '../../source/drivers/sqlite-bus/sqlite-bus.ts';
import {loadTrace} from '../../source/ledger/ledger.ts';
import type {ForgePlace} from '../../source/ports/forge.ts';
import {createScratchColony, linesOf, type ScratchColony} from '../chaos/scratch-colony.ts';
import {type ForgeServer, startForgeServer} from '../forge-server/server.ts';
import {openRepository, type Repository} from '../helpers/repository.ts';

/** A change of a branch at the forge, by a push. */
export type Push = {readonly from: string; readonly to: string; readonly ref: string};

/** A colony with its forge. */
export type ForgeScene = {
	readonly colony: ScratchColony;
	readonly server: ForgeServer;
	/** The repository at the forge. */
	readonly bare: Repository;
	/** True if requests are opened and reworked without a person. */
	readonly isAutomatic: boolean;
	readonly fold: (traceId: string) => Promise<Trace>;
	/** All pushes that changed something, as a hook of the repository at the forge noted them. */
	readonly pushes: () => Promise<readonly Push[]>;
	/** Removes what the colony does not remove itself. */
	readonly close: () => Promise<void>;
};

const bees = {
	builder: {
		worktree: true,
		publishes: [{type: 'MUTATION', kind: 'code.proposal.isolated'}],
		script: 'echo "$HIVE_TASK_ID by $HIVE_AGENT_ID" >>"$HIVE_TRACE_ID.txt"; echo "Did it"',
	},
};

const hook = '#!/bin/sh\ncat >>"$GIT_DIR/pushes"\n';

/** Creates a colony at a forge on this machine. The seed chooses the forge and how much happens by itself. */
export const createForgeScene = async (command: string, seed: number): Promise<ForgeScene> => {
	const path = await mkdtemp(join(tmpdir(), 'hive-forge-'));
	const bare = openRepository(path);
	await bare.git(['init', '--quiet', '--bare', '--initial-branch=main', path]);
	await writeFile(join(path, 'pushes'), '');
	const server = await startForgeServer({bare: path});
	server.allow('ada', 'admin');
	server.allow('ben', 'read');
	const provider: ForgePlace['provider'] = seed % 2 === 1 ? 'github' : 'gitlab';
	const isAutomatic = seed % 4 > 1;
	const ofMode = isAutomatic ? {open: 'when_ready', auto_rework: 'both'} : {};
	const defaults = {default_bee: 'builder', energy_budget: 100, max_parallel_runs: 4};
	const forge = {...server.place(provider), ...ofMode};
	const colony = await createScratchColony({command, bees, settings: {forge, defaults}, bus: 'embedded'});
	const machineFolder = join(colony.home, '.config/hive/chaos');
	await appendFile(join(machineFolder, 'config.yaml'), `\nforge: {token: ${server.token}}\n`);
	await colony.git(['push', '--quiet', path, 'main']);
	await colony.git(['remote', 'add', 'origin', server.gitUrl()]);
	await colony.ask(['init', '--accept']);
	await writeFile(join(path, 'hooks/post-receive'), hook);
	await chmod(join(path, 'hooks/post-receive'), 0o755);
	const log = await openSqliteBus({file: join(machineFolder, 'events.sqlite'), clock: createSystemClock()});
	return {
		...{colony, server, bare, isAutomatic},
		fold: traceId => loadTrace(log, traceId),
		pushes: async () =>
			linesOf(await readFile(join(path, 'pushes'), 'utf8')).map(line => {
				const [from = '', to = '', ref = ''] = line.split(' ');
				return {from, to, ref};
			}),
		close: async () => {
			await log.close();
			server.stop();
			await rm(path, {recursive: true, force: true, maxRetries: 5});
		},
	};
};
