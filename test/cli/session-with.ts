import {commandGroups} from '../../source/cli/commands.ts';
import type {Session} from '../../source/cli/session.ts';

const absent = () => Promise.reject(new Error('This session has no colony.'));

/** A session outside any process: no terminal, no input, no colony. */
export const sessionWith = (given: Partial<Session>): Session => ({
	cwd: '/',
	env: {},
	stdin: async () => '',
	offeredAs: undefined,
	stdout: {isTTY: false, columns: undefined, color: false},
	json: false,
	color: 'auto',
	isPainted: false,
	loadDashboard: absent,
	signal: new AbortController().signal,
	commands: commandGroups,
	open: absent,
	configuration: absent,
	diagnose: absent,
	secrets: async () => [],
	init: absent,
	react: absent,
	expectUsable: absent,
	followConfiguration: absent,
	acceptConfiguration: absent,
	reactor: absent,
	spawnSelf: () => {
		throw new Error('This session starts nothing.');
	},
	programs: absent,
	tools: absent,
	at: () => {
		throw new Error('This session is nowhere else.');
	},
	close: async () => {},
	...given,
});
