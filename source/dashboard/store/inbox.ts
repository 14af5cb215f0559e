import type {Trace} from '../../domain/trace.ts';
import type {LiveFacts} from '../../host/live/live.ts';
import type {Clashes} from '../../host/views/clashes.ts';
import {type InboxEntry, inboxOf} from '../../host/views/inbox.ts';
import type {SessionView} from '../../host/views/session.ts';
import {memoized} from './memo.ts';
import type {State} from './state.ts';

const entriesOf = memoized(
	(
		traces: ReadonlyMap<string, Trace>,
		survey: LiveFacts | undefined,
		conflicts: Clashes['conflicts'],
		sessions: readonly SessionView[],
	) => inboxOf(traces.values(), {...survey, conflicts, sessions}),
);

/** Everything that needs a person. */
export const inbox = ({traces, survey, clashes, sessions}: State): readonly InboxEntry[] =>
	entriesOf(traces, survey, clashes.conflicts, sessions);
