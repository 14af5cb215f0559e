import {errorMessage} from '../../domain/error-message.ts';
import {refuse} from '../../domain/errors.ts';
import type {StoredEvent} from '../../domain/event.ts';
import {tailLog} from '../logs/tail-log.ts';
import {followSessions} from '../sessions/live-sessions.ts';
import {followActivities} from './activities.ts';
import {createConnection} from './connection.ts';
import {followClashes} from './follow-clashes.ts';
import {type FollowOptions, followColony, watchReactor} from './follow-colony.ts';
import {createInspections} from './inspections.ts';
import type {LiveColony} from './live.ts';
import type {LiveConfiguration} from './live-configuration.ts';
import {followLiveFacts} from './live-facts.ts';
import {followSpent} from './spent-today.ts';

/** The feeds of a live colony, each until its signal is aborted. */
type Feeds = Pick<
	LiveColony,
	| 'follow'
	| 'status'
	| 'survey'
	| 'clashes'
	| 'spent'
	| 'sessions'
	| 'doing'
	| 'inspect'
	| 'log'
	| 'toolCall'
	| 'liveChange'
>;

export const createLiveFeeds = (
	following: FollowOptions,
	{problems, onReload}: Pick<LiveConfiguration, 'problems' | 'onReload'>,
): Feeds => {
	const {context, ledger} = following;
	const connection = createConnection(context);
	const moved = movedOf(following);
	const inspections = createInspections(context, ledger.traces);
	return {
		follow: (signal, call) => void followColony(following, signal, call, connection),
		status: (signal, call) => void watchReactor(following, signal, call, connection),
		survey: (signal, call) => {
			const options = {
				context,
				ledger,
				problems: () => problems().map(({path, message, hint}) => ({path, message, ...(hint && {hint})})),
			};
			const either = (until: AbortSignal, call: () => void): void => {
				moved(until, call);
				onReload(call);
			};
			void followLiveFacts({...options, moved: either, signal, call});
		},
		clashes: (signal, call) =>
			// If git's folders are unreadable, clashes are unknown; other operations report the cause.
			void followClashes({context, ledger, moved, signal, call}).catch(() => {}),
		spent: (signal, call) =>
			void followSpent({context, position: ledger.position(), onEvents: moved, signal, call}),
		sessions: (signal, call) => followSessions(context, {ledger, moved, signal, call}),
		doing: (signal, call) => followActivities({...following, moved, inspections, signal, call}),
		inspect: inspections.inspect,
		liveChange: (traceId, signal, call) =>
			void import('../review/live-change.ts')
				.then(({followLiveChange}) =>
					followLiveChange({context, trace: () => ledger.snapshot(traceId), signal, call}),
				)
				.catch((error: unknown) => {
					if (!signal.aborted) call(refuse('internal', {message: errorMessage(error)}));
				}),
		log: (run, signal, call, caughtUp) =>
			void tailLog(following, run, signal, call, caughtUp).catch((error: unknown) => {
				const reason = errorMessage(error);
				if (!signal.aborted) call([{text: `\nThis log cannot be read:\n${reason}\n`}]);
			}),
		toolCall: (run, signal, call) =>
			void import('../logs/tool-call.ts')
				.then(({followToolCall}) => followToolCall(following, run, signal, call))
				.catch((error: unknown) => {
					const lines = [`This call cannot be read: ${errorMessage(error)}`];
					if (!signal.aborted) call({lines, isRunning: false});
				}),
	};
};

/** Calls `call` after each change of the ledger, until the signal is aborted. */
const movedOf =
	({listeners}: FollowOptions) =>
	(signal: AbortSignal, call: (events: readonly StoredEvent[]) => void): void => {
		const forwardEvents = (events: readonly StoredEvent[]): void =>
			void (signal.aborted ? listeners.delete(forwardEvents) : call(events));
		listeners.add(forwardEvents);
	};
