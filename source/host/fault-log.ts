import {mkdirSync, readdirSync, rmSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {faultReport} from '../domain/fault-report.ts';
import {createRedactor, type Redactor} from '../domain/redact.ts';
import {locateColony, machineHome} from './locate-colony.ts';
import {redactorOf} from './redactor-of.ts';

type Sizes = Readonly<Record<string, string | number>>;

/** Records the latest actions of this process, and writes reports of internal errors. */
export type FaultLog = {
	/** Records an action by its id, never by what was typed. */
	readonly note: (action: string) => void;
	/** Adds these sizes to later reports, measured at that time. */
	readonly measure: (sizes: () => Sizes) => void;
	/**
	 * Call when the colony is known: its reports then go to its folder on this machine, without its secrets.
	 */
	readonly opened: (colony: {readonly folder: string; readonly secrets: () => readonly string[]}) => void;
	/**
	 * Writes a report and returns its path; undefined if none can be written. The newest five are kept. The
	 * same error again gives the same report. Synchronous, since the process may be about to end.
	 */
	readonly report: (error: unknown) => string | undefined;
};

type FaultLogOptions = {
	readonly env: Readonly<Record<string, string | undefined>>;
	/** Where the colony is searched while none is open. */
	readonly cwd: () => string;
	/** Version of hive. */
	readonly version: string;
};

const keptActions = 50;
const keptReports = 5;
const reportName = /^\d{4}-\d\d-\d\dT[\d.-]+Z\.txt$/;

export const createFaultLog = ({env, cwd, version}: FaultLogOptions): FaultLog => {
	const actions: string[] = [];
	const measures: (() => Sizes)[] = [];
	let redact: Redactor = redactorOf(env);
	let folder: string | undefined;
	let last: {readonly error: unknown; readonly file: string} | undefined;

	const write = (error: unknown): string => {
		const at = new Date().toISOString();
		const text = faultReport({
			...{error, at, actions},
			versions: {hive: version, node: process.version, system: `${process.platform} ${process.arch}`},
			sizes: Object.assign(ownSizes(), ...measures.map(measure => measure())),
		});
		const all = path.join(folder ?? locateColony(env, cwd())?.machineFolder ?? machineHome(env), 'reports');
		mkdirSync(all, {recursive: true, mode: 0o700});
		const file = path.join(all, `${at.replaceAll(':', '-')}.txt`);
		writeFileSync(file, redact(text), {flag: 'wx', mode: 0o600});
		const known = readdirSync(all).filter(name => reportName.test(name));
		for (const old of known.toSorted().slice(0, -keptReports)) rmSync(path.join(all, old), {force: true});
		return file;
	};

	return {
		note: action => {
			actions.push(action);
			if (actions.length > keptActions) actions.shift();
		},
		measure: sizes => void measures.push(sizes),
		opened: colony => {
			folder = colony.folder;
			const whole = redactorOf(env);
			redact = text => createRedactor(colony.secrets())(whole(text));
		},
		report: error => {
			if (last !== undefined && isSame(last.error, error)) return last.file;
			try {
				last = {error, file: write(error)};
				return last.file;
			} catch {
				// The disk may be full, or the home read-only. Then the error's message is all that the person gets.
				return undefined;
			}
		},
	};
};

const isSame = (one: unknown, other: unknown): boolean =>
	one === other || (one instanceof Error && other instanceof Error && one.stack === other.stack);

const ownSizes = (): Sizes => ({
	memory: `${Math.round(process.memoryUsage.rss() / 2 ** 20)} MiB`,
	uptime: `${Math.round(process.uptime())} s`,
	...(process.stdout.isTTY && {terminal: `${process.stdout.columns}x${process.stdout.rows}`}),
});
