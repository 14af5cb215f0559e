import {once} from 'node:events';
import {createInterface} from 'node:readline';
import type {ScratchColony} from '../chaos/scratch-colony.ts';

/** Starts a console without a reactor in its own process, and returns the link for one browser. */
export const serveConsole = async (colony: ScratchColony) => {
	const child = colony.start(['console', '--addr', '127.0.0.1:0', '--no-reactor', '--json']);
	const gone = once(child, 'exit');
	if (child.stdout === null) throw new Error('The console has no output.');
	const [line] = await once(createInterface(child.stdout), 'line');
	const {link} = JSON.parse(String(line)) as {link: string};
	return {
		link,
		end: async () => {
			child.kill('SIGTERM');
			await gone;
		},
	};
};
