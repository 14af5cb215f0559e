import type {Device} from '../domain/device.ts';
import type {Overlooked} from '../domain/overlooked.ts';
import type {RunProgress} from '../domain/run-progress.ts';
import type {drawTopology} from '../host/topology.ts';
import type {CueView} from '../host/views/colony.ts';
import type {Section} from '../host/views/detail/section.ts';
import type {eventSnapshot, eventView} from '../host/views/event.ts';
import type {InboxEntry} from '../host/views/inbox-entry.ts';
import type {InviteSnapshot} from '../host/views/invite.ts';
import type {LandingFacts, LandingView} from '../host/views/landing.ts';
import type {LineOrigin, OriginFact} from '../host/views/line-origin.ts';
import type {PlanView} from '../host/views/plan.ts';
import type {runsWithProgress} from '../host/views/progress.ts';
import type {RequestView} from '../host/views/pull-request.ts';
import type {QuestionSnapshot} from '../host/views/question.ts';
import type {Review} from '../host/views/review.ts';
import type {runSnapshot} from '../host/views/run.ts';
import type {SessionMatches, SessionView} from '../host/views/session.ts';
import type {Sheet} from '../host/views/sheet.ts';
import type {Caller} from './caller.ts';
import type {taskPage, tracePage, traceRow} from './views.ts';

/**
 * The answer type of each read route, by its path. Routes must return it, and the page is built on it. Routes
 * that the page does not use have the type `object`. The page has no Node types, so data from files and git
 * is declared here as far as the page needs it.
 */
export type Answers = {
	'/api/colony': Colony;
	'/api/runtime': object;
	'/api/actions': {readonly actions: readonly Action[]};
	'/api/configuration/changes': ConfigurationChanges;
	'/api/devices': List<Device>;
	'/api/inbox': List<InboxEntry>;
	'/api/review-queue': List<Review>;
	'/api/landing': {readonly landing: readonly LandingView[]};
	'/api/invites': List<InviteSnapshot & {readonly offers: readonly string[]}>;
	'/api/cues': object;
	'/api/bees': object;
	'/api/colony/topology': ReturnType<typeof drawTopology>['document'];
	'/api/events': List<ShownEvent>;
	'/api/agents': List<Agent>;
	'/api/questions': List<QuestionSnapshot>;
	'/api/runs': List<NamedRun>;
	'/api/runs/:traceId/:agentId': NamedRun & {readonly summary: string};
	'/api/runs/:traceId/:agentId/progress': RunProgress;
	'/api/runs/:traceId/:agentId/log': Log;
	'/api/runs/:traceId/:agentId/events': object;
	'/api/sessions': List<SessionView & Partial<SessionMatches>>;
	'/api/sessions/:sessionId': SessionView;
	'/api/sessions/:sessionId/transcript': object;
	'/api/sessions/:sessionId/screen': Screen;
	'/api/traces': List<ReturnType<typeof traceRow>>;
	'/api/traces/:traceId': ReturnType<typeof tracePage> & MergedInto;
	'/api/traces/:traceId/detail': Sections;
	'/api/traces/:traceId/sheet': {readonly sheet: Sheet};
	'/api/traces/:traceId/plan': {readonly plan: PlanView | null};
	'/api/traces/:traceId/merge-diff': object;
	'/api/traces/:traceId/artifacts': object;
	'/api/traces/:traceId/events': object;
	'/api/traces/:traceId/runs': object;
	'/api/traces/:traceId/tasks': object;
	'/api/traces/:traceId/usage': object;
	'/api/tasks': object;
	'/api/traces/:traceId/tasks/:taskId': Omit<ReturnType<typeof taskPage>, 'runs'> & {
		readonly runs: ReturnType<typeof runsWithProgress>;
		readonly landing: TaskLanding;
		/** The request of its trace at the forge; null if there is none. */
		readonly pullRequest: RequestView | null;
	} & MergedInto;
	'/api/traces/:traceId/tasks/:taskId/detail': Sections;
	'/api/traces/:traceId/tasks/:taskId/why': object;
	'/api/traces/:traceId/tasks/:taskId/sheet': {readonly sheet: Sheet};
	'/api/traces/:traceId/tasks/:taskId/preview': object;
	'/api/traces/:traceId/tasks/:taskId/rework': ReworkChoice;
	'/api/traces/:traceId/tasks/:taskId/changes': Changes;
	'/api/traces/:traceId/tasks/:taskId/line': {
		readonly origin: LineOrigin;
		/** The same in words. */
		readonly facts: readonly OriginFact[];
	};
};

type List<Item> = {readonly items: readonly Item[]};

/** The tasks that can do a rework. */
/** The base of a merge of the trace. When it changes, what was read of that merge is old. */
type MergedInto = {
	/** The newest commit of its base. Empty without an open gate, and while it is not known. */
	readonly baseCommit: string;
};

type ReworkChoice = {
	readonly tasks: readonly {readonly taskId: string; readonly title: string; readonly bee: string}[];
	/** The task that gets it without a choice and without comments; empty if none can do it. */
	readonly chosen: string;
};

/** What a person is shown of the landing of a task's merge. */
export type TaskLanding = LandingFacts & {
	/** The checks that its merge has to pass before it lands; empty if none is required. */
	readonly checks: string;
	/** By branch: the number of landings in the queue of its checkout, without its own. */
	readonly ahead: Readonly<Record<string, number>>;
};

/** The colony, the reactor's state, the caller, and how many things wait for a person. */
export type Colony = {
	readonly slug: string;
	readonly branch: string;
	readonly reactor: 'here' | 'elsewhere' | 'starting' | 'none';
	readonly bus: {readonly state: 'live' | 'unreachable'; readonly reason?: string};
	readonly caller: Caller;
	readonly problems: readonly string[];
	/** The problems that are changes below `.hive/` which await a person's approval. */
	readonly awaiting: readonly string[];
	readonly cues: readonly (Omit<CueView, 'emit'> & {readonly needsText: boolean})[];
	readonly bees: readonly {readonly name: string; readonly talks: boolean}[];
	readonly counts: Readonly<Record<'inbox' | 'reviews' | 'invites' | 'bees', number>>;
};

/** An action of the table: its path, and the fields of its form. */
export type Action = {
	readonly id: string;
	readonly path: string;
	readonly label: string;
	/** True if the action is destructive. */
	readonly danger: boolean;
	readonly summary: string;
	readonly description: string;
	readonly fields: readonly Field[];
};

export type Field = {
	readonly name: string;
	readonly kind: 'text' | 'integer' | 'number' | 'boolean' | 'choice' | 'list' | 'document';
	readonly required: boolean;
	readonly summary: string;
	readonly choices?: readonly string[];
	/** Texts shown for the choices. */
	readonly titles?: Readonly<Record<string, string>>;
	readonly initially?: boolean;
};

export type Run = ReturnType<typeof runSnapshot> & {readonly traceId: string};

/** A run with what people call it, and its trace. */
export type NamedRun = Run & {readonly title: string; readonly traceTitle: string};

/** A run that is open. */
type Agent = Run & {
	readonly title: string;
	readonly kind: 'afk' | 'session';
	/** Its current step, and the resources it used, as text. Empty while unknown. */
	readonly doing: string;
	readonly used: string;
};

/** The end of a run's log. */
type Log = {
	/** The number of lines before the first of these. */
	readonly from: number;
	/** What to send as "after" to get what is new. */
	readonly nextCursor: number;
	readonly lines: readonly {readonly text: string; readonly at?: string}[];
	readonly isCut: boolean;
};

/** The rows on the screen of a session's program. */
export type Screen = {readonly title: string; readonly lines: readonly string[]};

export type Sections = {readonly sections: readonly Section[]};

export type ShownEvent = ReturnType<typeof eventSnapshot> & {readonly view: ReturnType<typeof eventView>};

/** A preview line by line. */
type Changes = Overlooked & {
	readonly branch: string;
	readonly base: string;
	/** The tree to send back with the approval. */
	readonly tree: string;
	/** Git's ids of the two ends of the changes; empty if they are not known. */
	readonly fork: string;
	readonly work: string;
	readonly changes: readonly FileChange[];
	readonly truncated: boolean;
	/** The marks of the files that a person has marked as reviewed with this content. */
	readonly reviewed: readonly string[];
	readonly conflicts: readonly string[];
	readonly unsaved: readonly string[];
	readonly planted: readonly string[];
	readonly notTaken: readonly string[];
};

/** The changes below `.hive/` that await a person's approval, each with the work during which it was made. */
type ConfigurationChanges = List<{readonly path: string; readonly by: string}> & {
	/** The digest to send back with the acceptance. Empty if nothing awaits a person's approval. */
	readonly seen: string;
	readonly changes: readonly FileChange[];
};

export type FileChange = {
	readonly path: string;
	/** Former path of a renamed file. */
	readonly from?: string;
	/** Names the file with its new content. */
	readonly mark: string;
	readonly added: number;
	readonly removed: number;
	readonly lines: readonly ChangedLine[];
};

export type ChangedLine = {
	readonly kind: 'added' | 'removed' | 'same' | 'hunk';
	readonly text: string;
	/** Line numbers before and after the change. */
	readonly old?: number;
	readonly new?: number;
	/**
	 * The length in characters and the kind of each part of the line's code, such as "5keyword 1 4title". One
	 * text, since a browser parses long arrays slowly.
	 */
	readonly parts?: string;
};
