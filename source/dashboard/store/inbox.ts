import type {Trace} from '../../domain/trace.ts';
import type {Survey} from '../../host/live.ts';
import {type InboxEntry, inboxOf} from '../../host/views/inbox.ts';
import {memoized} from './memo.ts';
import type {State} from './state.ts';

const entriesOf = memoized((traces: ReadonlyMap<string, Trace>, survey: Survey | undefined) =>
	inboxOf(traces.values(), survey),
);

/** Everything that needs a person. */
export const inbox = ({traces, survey}: State): readonly InboxEntry[] => entriesOf(traces, survey);
