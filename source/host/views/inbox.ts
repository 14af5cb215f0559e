import {awaitsAcceptance} from '../../domain/awaiting-configuration.ts';
import {compareText} from '../../domain/compare-text.ts';
import {type Detail, fileOf} from '../../domain/errors.ts';
import {formatCount} from '../../domain/format-count.ts';
import type {Holding} from '../../domain/reason.ts';
import type {Trace} from '../../domain/trace.ts';
import {titleOrId} from '../../domain/trace.ts';
import {pendingInvites} from '../../ledger/invites.ts';
import type {Conflict} from './clashes.ts';
import {causeKey, type InboxEntry, type InboxKind, inboxKinds} from './inbox-entry.ts';
import {heldEntries} from './inbox-holds.ts';
import {planEntries} from './inbox-plan.ts';
import {sessionEntries} from './inbox-sessions.ts';
import {awaitedEntries, failedEntries, questionEntries, reviewEntries} from './inbox-tasks.ts';
import type {SessionView} from './session.ts';

export type {InboxEntry} from './inbox-entry.ts';

/** Facts that the log does not contain. */
export type InboxFacts = {
	/** By trace: what holds up a direct run. */
	readonly held?: ReadonlyMap<string, Holding>;
	/** By trace: conflicts of the work at its open gate with its base. */
	readonly conflicts?: ReadonlyMap<string, Conflict>;
	/** The sessions of this checkout. */
	readonly sessions?: readonly SessionView[];
	/** Problems in the configuration. */
	readonly problems?: readonly Detail[];
};

/**
 * Returns everything that needs a person, one entry per cause. The most pressing kind comes first, and within
 * a kind the one that has waited longest.
 */
export const inboxOf = (traces: Iterable<Trace>, facts: InboxFacts = {}): readonly InboxEntry[] =>
	[
		...[...traces].flatMap(trace => inboxEntries(trace, facts)),
		...(facts.problems ?? []).map(problemEntry),
	].sort(byUrgency);

const byUrgency = (one: InboxEntry, other: InboxEntry): number =>
	inboxKinds.indexOf(one.kind) - inboxKinds.indexOf(other.kind) ||
	compareText(one.since ?? '', other.since ?? '') ||
	compareText(one.key, other.key);

/** Returns the entries of one trace. */
const inboxEntries = (trace: Trace, {held, conflicts, sessions}: InboxFacts): readonly InboxEntry[] =>
	trace.killed
		? []
		: [
				...inviteEntries(trace),
				...awaitedEntries(trace),
				...questionEntries(trace),
				...sessionEntries(trace, sessions ?? []),
				...planEntries(trace),
				...reviewEntries(trace, conflicts?.get(trace.traceId)),
				...failedEntries(trace),
				...heldEntries(trace, held?.get(trace.traceId)),
			];

/** Invites. Deferred or incomplete ones can still be accepted, but need no one's attention. */
const inviteEntries = (trace: Trace): readonly InboxEntry[] =>
	pendingInvites(trace).map(({inviteId, bee, task, createdAt, updatedAt}) => ({
		key: causeKey('invite', trace, inviteId, updatedAt),
		...{kind: 'invite', category: 'invite'},
		...{traceId: trace.traceId, inviteId, since: createdAt},
		title: task.trim().split('\n', 1)[0] || titleOrId(trace),
		sentence: `The bee ${bee} asks to talk with you.`,
		actions: ['invite.accept', 'invite.reject'],
	}));

/** Counts by kind: `2 reviews, 1 failed`. */
export const formatInboxCounts = (entries: readonly InboxEntry[]): string =>
	inboxKinds
		.map(kind => [kind, entries.filter(entry => entry.kind === kind).length] as const)
		.filter(([, count]) => count > 0)
		.map(([kind, count]) =>
			isCounted(kind) ? formatCount(count, kind) : `${count} ${kindLabels[kind] ?? kind}`,
		)
		.join(', ');

const isCounted = (kind: InboxKind): boolean =>
	kind === 'invite' ||
	kind === 'question' ||
	kind === 'session' ||
	kind === 'conflict' ||
	kind === 'plan' ||
	kind === 'review';

const kindLabels: Partial<Record<InboxKind, string>> = {no_change: 'without a change'};

/** A file has to be repaired, or a change of one has to be accepted. */
const problemEntry = ({path, message, hint = ''}: Detail): InboxEntry => {
	const awaits = awaitsAcceptance({hint});
	return {
		key: `configuration:${path}: ${message}`,
		...{kind: 'configuration', category: 'configuration'},
		...(!awaits && {file: fileOf({path})}),
		title: path,
		sentence: awaits ? `It was ${message}. ${hint}` : message,
		actions: awaits ? ['configuration.accept'] : [],
	};
};
