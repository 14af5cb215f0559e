import {DatabaseSync} from '@photostructure/sqlite';

/** The baseline for the bus: one table with a unique id, WAL, FULL. */
export const openRawLog = (file: string) => {
	const database = new DatabaseSync(file, {timeout: 10_000});
	database.exec(`
		PRAGMA journal_mode = WAL;
		PRAGMA synchronous = FULL;
		create table if not exists log (sequence integer primary key, trace_id text, id text unique, at text, body text);
	`);
	const statement = database.prepare('insert into log (trace_id, id, at, body) values (?, ?, ?, ?)');
	return {
		database,
		insert: (id: string) => statement.run(id.slice(0, 22), id, '2026-01-01T00:00:00.000Z', rawBody(id)),
		batch: (ids: readonly string[], insert: (id: string) => unknown) => {
			database.exec('BEGIN IMMEDIATE');
			for (const id of ids) insert(id);
			database.exec('COMMIT');
		},
		close: () => database.close(),
	};
};

/** An event of about 330 bytes of JSON. */
export const benchEvent = (id: string) => ({
	traceId: id.slice(0, 22),
	agentId: id.slice(23, 39),
	type: 'SIGNAL' as const,
	payload: {
		kind: 'task.status',
		taskId: 'task-0198a1b2c3d4e5f6',
		status: 'running',
		summary: 'x'.repeat(190),
	},
});

const rawBody = (id: string) => JSON.stringify(benchEvent(id));

/**
 * Creates ids in the form that runs use: eight live traces in turn (twice the runs of a machine), each with
 * its random agent id.
 */
export const createIds = (start: number) => {
	let n = start;
	const agents = Array.from({length: 8}, () =>
		Math.random().toString(16).slice(2).padEnd(16, '0').slice(0, 16),
	);
	return () => {
		n += 1;
		const trace = (0x198a1b2c3d4 + Math.floor(n / 8000) * 8 + (n % 8)).toString(16).padStart(16, '0');
		return `trace-${trace}/${agents[n % 8]}/collect/${n.toString().padStart(8, '0')}`;
	};
};
