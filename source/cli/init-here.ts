import type {InitInput} from '../host/host.ts';
import {askLine} from './ask-line.ts';
import type {Session} from './session.ts';

/** Makes this checkout a colony. Whether one that was moved takes over its log is asked, where a person is at the terminal. */
export const initHere = async (session: Session, input: InitInput): ReturnType<Session['init']> => {
	const made = await session.init(input);
	if (made.ok || made.refusal.code !== 'checkout_moved' || input.takesOver !== undefined) return made;
	const answer = await askLine(`${made.refusal.message}\nTake it over here? [y/n] `);
	const takesOver = decisions.get(answer?.trim().toLowerCase() ?? '');
	return takesOver === undefined ? made : session.init({...input, takesOver});
};

const decisions: ReadonlyMap<string, boolean> = new Map([
	['y', true],
	['yes', true],
	['n', false],
	['no', false],
]);
