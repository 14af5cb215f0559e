import {waitLabel} from '../../domain/wait-labels.ts';
import type {Answers} from '../answers.ts';
import {Actions} from './actions.tsx';
import {pathTo} from './api.ts';
import {AcceptConfiguration} from './configuration.tsx';
import {useView} from './live.ts';
import {safe} from './safe.tsx';

export type InboxEntry = Answers['/api/inbox']['items'][number];

/** The actions for an inbox entry, with the precondition of the task as it was shown. */
export const EntryActions = ({entry, keys}: {entry: InboxEntry; keys: 'always' | 'focused'}) => {
	const {kind, sentence, actions, options, traceId, taskId, inviteId, questionId, agentId} = entry;
	const names = Object.fromEntries(
		Object.entries({traceId, taskId, inviteId, questionId, agentId}).filter(([, name]) => name !== undefined),
	);
	const isWaiting = isWaitingEntry(entry);
	const {tag} = useView(
		isWaiting && traceId !== undefined && taskId !== undefined
			? pathTo('/api/traces/:traceId/tasks/:taskId', {traceId, taskId})
			: undefined,
	);
	if (actions.includes('configuration.accept')) return <AcceptConfiguration />;
	return (
		<Actions
			offers={actions}
			names={names}
			seen={() => tag || undefined}
			labelOf={id => waitLabel(kind, id)}
			{...(isWaiting && {about: sentence})}
			{...(options && {options})}
			keys={keys}
		/>
	);
};

/**
 * A question, or work without a change: of a task, else of a run, else of any run of the trace without a
 * task.
 */
export const Waiting = ({traceId, taskId, agentId}: {traceId: string; taskId?: string; agentId?: string}) => {
	const {value} = useView(pathTo('/api/inbox'));
	const entries = (value?.items ?? []).filter(
		entry =>
			isWaitingEntry(entry) &&
			entry.traceId === traceId &&
			entry.taskId === taskId &&
			(agentId === undefined || entry.agentId === agentId),
	);
	return (
		<>
			{entries.map(entry => (
				<section key={entry.key} class="card">
					<p>{safe(entry.sentence)}</p>
					<EntryActions entry={entry} keys="always" />
				</section>
			))}
		</>
	);
};

const isWaitingEntry = ({kind}: InboxEntry): boolean => kind === 'question' || kind === 'no_change';

/** Removes the actions that the inbox entry on the same page offers. */
export const besideEntry = (offers: readonly string[], waitsFor: string): readonly string[] =>
	waitsFor === ''
		? offers
		: offers.filter(id => waitLabel(waitsFor, id) === undefined && id !== 'task.cancel');
