import {existsSync, readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import type {StoredEvent} from '../../source/domain/event.ts';
import {emptyTrace} from '../../source/domain/trace.ts';
import {encodeTrace, foldVersion} from '../../source/ledger/checkpoint.ts';
import {applyEvents} from '../../source/ledger/reduce.ts';
import {linesOf} from '../helpers/colony-on-disk.ts';

const logEnd = '.ndjson';
const snapshotsEnd = '.snapshots.ndjson';

/**
 * Logs that were recorded with each version of the fold. `<version>/<scenario>.ndjson` has any number of
 * traces, one event a line; `<version>/<scenario>.snapshots.ndjson` has the checkpoint of each trace after
 * its last event, with sorted keys.
 */
export const openHistory = (folder = join(import.meta.dirname, 'history')) => {
	const scenarios = (version: number): string[] =>
		readdirSync(join(folder, String(version)))
			.filter(name => name.endsWith(logEnd) && !name.endsWith(snapshotsEnd))
			.map(name => name.slice(0, -logEnd.length));
	const filesOf = (version: number, scenario: string) => ({
		log: join(folder, String(version), scenario + logEnd),
		snapshots: join(folder, String(version), scenario + snapshotsEnd),
	});
	const eventsOf = (version: number, scenario: string): StoredEvent[] =>
		linesIn(filesOf(version, scenario).log).map(line => JSON.parse(line));
	const snapshotsOf = (version: number, scenario: string): string[] =>
		linesIn(filesOf(version, scenario).snapshots);
	/**
	 * Reads `{"<scenario> <trace>": "<why>"}`: the traces that a later version folds differently on purpose.
	 */
	const migrationsOf = (version: number): Readonly<Record<string, string>> => {
		const file = join(folder, String(version), 'migrations.json');
		return version < foldVersion && existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
	};
	return {
		filesOf,
		versions: (): number[] =>
			readdirSync(folder)
				.map(Number)
				.sort((one, other) => one - other),
		events: (version: number): StoredEvent[] =>
			scenarios(version).flatMap(scenario => eventsOf(version, scenario)),
		/** Returns the checkpoints as text. */
		snapshots: (version: number): string[] =>
			scenarios(version).flatMap(scenario => snapshotsOf(version, scenario)),
		/**
		 * Returns each trace whose events fold to another snapshot than recorded. A trace of an older version
		 * with a stated reason is left out.
		 */
		differences: (version: number, fold = applyEvents): string[] => {
			const compared = version === foldVersion ? (line: string) => line : withoutVersion;
			return scenarios(version).flatMap(scenario => {
				const folded = snapshotLines(eventsOf(version, scenario), fold);
				return snapshotsOf(version, scenario).flatMap(line => {
					const {traceId} = JSON.parse(line);
					const name = `${scenario} ${traceId}`;
					const same = compared(folded.get(traceId) ?? '{}') === compared(line);
					return same || name in migrationsOf(version) ? [] : [name];
				});
			});
		},
	};
};

const linesIn = (file: string): string[] => linesOf(readFileSync(file, 'utf8'));

/** Returns one line for each trace, by its id: its checkpoint with sorted keys. */
export const snapshotLines = (events: readonly StoredEvent[], fold = applyEvents): Map<string, string> => {
	const traceIds = new Set(events.map(({traceId}) => traceId));
	return new Map(
		[...traceIds].map(traceId => {
			const {trace} = fold(
				emptyTrace(traceId),
				events.filter(event => event.traceId === traceId),
			);
			return [traceId, canonical(JSON.parse(encodeTrace(trace)))];
		}),
	);
};

const canonical = (value: unknown): string =>
	JSON.stringify(value, (_, part) =>
		typeof part === 'object' && part !== null && !Array.isArray(part)
			? Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1)))
			: part,
	);

const withoutVersion = (line: string): string => {
	const {version: _, ...trace} = JSON.parse(line);
	return canonical(trace);
};

/** Returns advice for a fold that does not give the recorded snapshots. */
export const advice = (version: number): string =>
	version === foldVersion
		? `The fold gives something else than version ${version} did, so checkpoints that people have are wrong. Undo it, or raise foldVersion in source/ledger/checkpoint.ts and run "npm run record-history".`
		: `Logs that were recorded under version ${version} fold to something else. Undo it, or say why for each trace in test/replay/history/${version}/migrations.json.`;
