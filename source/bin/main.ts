import {main as runCommandLine} from '../cli/main.ts';
import {wipeSkeleton} from '../dashboard/skeleton.ts';
import {openHost} from '../wire/open-host.ts';
import type {Offered} from './offer-event.ts';

/** Loads the dashboard, only when it is shown. */
export type LoadDashboard = () => Promise<typeof import('../dashboard/main.ts')>;

/** Loads the console, only when it is shown. */
export type LoadConsole = () => Promise<typeof import('../console/main.ts')>;

/** Loads the MCP server, only when it is used. */
export type LoadMcp = () => Promise<typeof import('./mcp.ts')>;

/** Loads the watcher of pull requests, only when it is used. */
export type LoadForge = () => Promise<typeof import('./forge.ts')>;

/** Loads the chat gateway, only when it is used. */
export type LoadChat = () => Promise<typeof import('../chat/main.ts')>;

export type Entered = {
	/** An event that the entry point has read and no reactor accepted. */
	readonly offered: Offered | undefined;
	/** True if the first frame of the dashboard is on the screen. */
	readonly isPainted: boolean;
	readonly loadDashboard: LoadDashboard;
	readonly loadConsole: LoadConsole;
	readonly loadChat: LoadChat;
	readonly loadMcp: LoadMcp;
	readonly loadForge: LoadForge;
};

/** Connects the application with its faces, and runs the command line. */
export const main = async ({
	offered,
	isPainted,
	loadDashboard,
	loadConsole,
	loadChat,
	loadMcp,
	loadForge,
}: Entered): Promise<void> => {
	const clearScreen = (): void => {
		if (isPainted) wipeSkeleton(text => process.stdout.write(text));
	};
	// It loads while the colony's files are read.
	if (isPainted) setImmediate(() => void loadDashboard());
	await runCommandLine({
		...{offered, openHost, clearScreen},
		loadMcp,
		loadForge,
		loadChat: async () => (await loadChat()).chatFace,
		loadConsole: async () => (await loadConsole()).consoleFace,
		showDashboard: async (host, look) => (await loadDashboard()).openDashboard(host, {...look, isPainted}),
		offerInit: async root => {
			const {offerInit} = await loadDashboard();
			clearScreen();
			return offerInit({stdin: process.stdin, stdout: process.stdout, root});
		},
	});
};
