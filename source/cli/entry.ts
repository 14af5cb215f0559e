#!/usr/bin/env node
import path from 'node:path';
import {version} from '../../package.json';
import type {Offered} from '../bin/offer-event.ts';
import {paintSkeleton} from '../dashboard/skeleton.ts';
import {loadBundle} from './load-bundle.ts';
import {printLine, printText, readInput} from './standard-streams.ts';

/** Answers what needs no library, and loads the rest for everything else (design.md §6). */
const start = async (): Promise<void> => {
	const line = process.argv.slice(2).join(' ');
	const asked = /^(?:--version|-v)( --json)?$/.exec(line);
	if (asked) return printLine(asked[1] === undefined ? version : JSON.stringify({v: 1, version}));
	const offered = /^event emit --stdin( --json)?$/.test(line) ? await offer() : undefined;
	if (offered?.answer !== undefined) {
		const {exit, json} = offered.answer;
		process.exitCode = exit;
		return printLine(JSON.stringify(line.endsWith('--json') ? {v: 1, ...json} : json));
	}
	const isPainted = line === '' && process.env.INK_SCREEN_READER !== 'true' && (await isOnTerminal());
	if (isPainted) paintFirst();
	await loadMain(purposeOf(line)).main({offered, isPainted, loadDashboard});
};

const isOnTerminal = async (): Promise<boolean> => {
	const {isatty} = await import('node:tty');
	return isatty(0) && isatty(1);
};

/** The words of the command, as far as they can be told from what is given to it. */
const purposeOf = (line: string): string =>
	/^[a-z]+( [a-z]+)?(?= |$)/.exec(line)?.[0].replace(' ', '-') ?? '';

/**
 * What a person sees while the rest is loaded. A signal that comes meanwhile waits for whoever listens by then, so that the
 * terminal is always given back.
 */
const paintFirst = (): void => {
	for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(name, () => {});
	paintSkeleton(printText, {columns: process.stdout.columns, rows: process.stdout.rows});
};

/** The rest of the command line, and the dashboard: bundles of their own beside this file, as build.mjs makes them. */
const loadMain = (purpose: string) =>
	loadBundle(path.join(__dirname, 'main.cjs'), purpose) as typeof import('../bin/main.ts');
let dashboard: typeof import('../dashboard/main.ts') | undefined;
const loadDashboard = async () => {
	dashboard ??= loadBundle(path.join(__dirname, 'dashboard.cjs')) as typeof import('../dashboard/main.ts');
	return dashboard;
};

const offer = async (): Promise<Offered> => {
	const {offerEvent} = await import('../bin/offer-event.ts');
	return offerEvent(await readInput(), process.env, process.cwd());
};

void start();
