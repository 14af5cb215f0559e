#!/usr/bin/env node
import path from 'node:path';
import {version} from '../../package.json';
import {currentFolder} from '../cli/current-folder.ts';
import {closeLostTerminals} from '../cli/lost-terminals.ts';
import {printLine, printText, readInput} from '../cli/standard-streams.ts';
import {paintSkeleton, wipeSkeleton} from '../dashboard/skeleton.ts';
import {errorTable} from '../domain/error-table.ts';
import type {Offered} from './offer-event.ts';

/** Hash of the contents of the bundles beside this file. build.mjs writes it here. */
declare const contentHash: string;

/**
 * Entry point. Answers the commands that need no library itself, and loads the main bundle for all others.
 */
const start = async (): Promise<void> => {
	closeLostTerminals();
	const line = process.argv.slice(2).join(' ');
	const versionRequest = /^(?:--version|-v)( --json)?$/.exec(line);
	if (versionRequest)
		return printLine(versionRequest[1] === undefined ? version : JSON.stringify({v: 1, version}));
	const offered = /^event emit --stdin( --json)?$/.test(line) ? await offer() : undefined;
	if (offered?.answer !== undefined) {
		const {exit, json} = offered.answer;
		process.exitCode = exit;
		return printLine(JSON.stringify(line.endsWith('--json') ? {v: 1, ...json} : json));
	}
	const served = /^mcp(?: --tools (\S+))?$/.exec(line);
	if (served !== null) return serveMcp(served[1]);
	if (process.argv[2] === 'acp') return runAcp(process.argv.slice(3));
	const draws = process.env.INK_SCREEN_READER !== 'true' && process.env.TERM !== 'dumb';
	const hasFolder = currentFolder() !== undefined;
	const isPainted = (line === '' || line === '--console') && draws && hasFolder && (await isOnTerminal());
	if (isPainted) paintFirst();
	let loaded: typeof import('./main.ts');
	try {
		loaded = await loadMain();
	} catch (error) {
		if (isPainted) wipeSkeleton(printText);
		return refuseStart(error);
	}
	await loaded.main({offered, isPainted, loadDashboard, loadConsole, loadChat, loadMcp, loadForge});
};

const refuseStart = (error: unknown): void => {
	process.exitCode = errorTable.internal.exit;
	const reason = error instanceof Error ? error.message : String(error);
	process.stderr.write(`hive: The installation of hive is incomplete.\n  ${reason}\nInstall it again.\n`);
};

const isOnTerminal = async (): Promise<boolean> => {
	const {isatty} = await import('node:tty');
	return isatty(0) && isatty(1);
};

/**
 * Paints a skeleton of the dashboard while the rest is loaded. A signal that arrives meanwhile is left to
 * handlers that are installed later. So the terminal is always restored.
 */
const paintFirst = (): void => {
	for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT']) process.on(name, () => {});
	paintSkeleton(printText, {columns: process.stdout.columns, rows: process.stdout.rows});
};

/** Loads a separate bundle beside this file, as build.mjs makes it. */
const load = async (bundle: string): Promise<unknown> => {
	const [{loadCompiled}, {openCodeCache}] = await Promise.all([
		import('./load-compiled.ts'),
		import('./code-cache.ts'),
	]);
	return loadCompiled(path.join(__dirname, bundle), openCodeCache(contentHash, process.env));
};
const loadMain = async () => (await load('main.cjs')) as typeof import('./main.ts');
let dashboard: Promise<typeof import('../dashboard/main.ts')> | undefined;
const loadDashboard = () => {
	dashboard ??= load('dashboard.cjs') as Promise<typeof import('../dashboard/main.ts')>;
	return dashboard;
};
const loadMcp = async () => (await load('mcp.cjs')) as typeof import('./mcp.ts');
const loadForge = async () => (await load('forge.cjs')) as typeof import('./forge.ts');
const loadChat = async () => (await load('chat.cjs')) as typeof import('../chat/main.ts');

const loadConsole = async () => (await load('console.cjs')) as typeof import('../console/main.ts');

/** The server lives as long as its run and stays small: it loads nothing else. */
const serveMcp = async (tools: string | undefined): Promise<void> => {
	const mcp = await loadMcp().catch(refuseStart);
	await mcp?.serveMcp({env: process.env, cwd: currentFolder() ?? '/', tools: tools?.split(',')});
};

/** hive's part of a run through the Agent Client Protocol. Runs start it; it is no command for people. */
const runAcp = async (args: readonly string[]): Promise<void> => {
	const acp = (await load('acp.cjs').catch(refuseStart)) as typeof import('./acp.ts') | undefined;
	if (acp === undefined) return;
	process.exit(
		await acp.runAcp(args, {input: await readInput(), env: process.env, cwd: currentFolder() ?? '/'}),
	);
};

const offer = async (): Promise<Offered> => {
	const {offerEvent} = await import('./offer-event.ts');
	return offerEvent(await readInput(), process.env, currentFolder() ?? '/');
};

void start();
