import type {ReplayStep} from '../host/sessions/replay-session.ts';
import {enterSequence, freshSequence, leaveSequence} from '../screen/leave.ts';
import type {PlayerKeys} from './player-keys.ts';

/**
 * Yields the bytes for the terminal, each at its time, until the person leaves. At the end, the terminal is
 * restored as a program should leave it.
 */
export async function* playSteps(
	steps: AsyncIterable<ReplayStep>,
	openKeys: () => PlayerKeys,
): AsyncGenerator<Uint8Array> {
	const keys = openKeys();
	try {
		yield Buffer.from(`${enterSequence()}${freshSequence()}`);
		for await (const {delayMs: milliseconds, event} of steps) {
			if ((await keys.wait(milliseconds)) === 'left') break;
			if (event.type === 'o') yield Buffer.from(event.data);
		}
	} finally {
		keys.stop();
		yield Buffer.from(leaveSequence());
	}
}
