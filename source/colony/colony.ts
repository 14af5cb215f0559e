import type {Detail} from '../domain/errors.ts';
import type {EventType} from '../domain/event.ts';
import type {DoneWhen} from '../domain/invite.ts';
import {isVerdict, proposalKind} from '../domain/proposal-kind.ts';
import type {NoChangePolicy} from '../domain/question.ts';
import type {Budget} from '../domain/reserve.ts';
import type {RunRecord} from '../domain/run.ts';
import type {Review, Workspace} from '../domain/task.ts';
import {defaults} from './defaults.ts';

export const adapters = ['alpha', 'beta', 'claude', 'codex', 'gemini', 'opencode', 'script'] as const;
export type AdapterName = (typeof adapters)[number];

/** An event a bee publishes or takes. Without a kind it stands for every kind of its type. */
export type EventRule = {readonly type: EventType; readonly kind?: string};

/** `task`: the bee runs tasks of the ledger. `direct`: it runs when a matching event arrives. */
export type Subscription = EventRule & {readonly dispatch: 'task' | 'direct'};

export type ContractRule = {
	readonly type: EventType;
	readonly kindOneOf: readonly string[];
	readonly count: number;
};

/**
 * One `.hive/bees/<name>.yaml`, with defaults filled in. `code.proposal` is read as `code.proposal.isolated`.
 */
export type Bee = {
	readonly role: string;
	/** Colony-relative file it was read from. */
	readonly file: string;
	readonly adapter: AdapterName;
	/** Full argv; replaces the mapping of `params`. */
	readonly command?: readonly string[];
	/** Full argv of a session; a bee with a `command` has none without it. */
	readonly interactiveCommand?: readonly string[];
	readonly postExec?: readonly string[];
	readonly params: Readonly<Record<string, unknown>>;
	/** The file has params, and a command that leaves them without effect. */
	readonly ignoresParams?: boolean;
	/** Relative to `.hive/prompts/`. */
	readonly promptTemplate?: string;
	readonly systemTemplate?: string;
	readonly runSummary: 'auto' | 'required' | 'disabled';
	readonly completionContract: readonly ContractRule[];
	readonly worktree: boolean;
	readonly sector?: string;
	readonly intents: readonly string[];
	readonly defaultIntent?: string;
	/** Milliseconds a run may take. */
	readonly timeout?: number;
	/** What verifies its proposals, in the place of the colony's. */
	readonly verify?: Verify | 'disabled';
	/** What becomes of its task when a run ends well and changed nothing, in the place of the colony's. */
	readonly onNoChange?: NoChangePolicy;
	/** Its runs may begin new traces, from the reserve of their own. */
	readonly mayStartTraces?: true;
	/** Empty: takes `task.ready`, nothing directly. */
	readonly subscribes: readonly Subscription[];
	/** Empty: declares nothing. */
	readonly publishes: readonly EventRule[];
};

/** One `.hive/cues/<id>.yaml`. */
export type Cue = {
	readonly id: string;
	readonly description: string;
	readonly emit: 'signal' | 'task';
	readonly energyBudget?: number;
	/** Of the signal. */
	readonly kind?: string;
	readonly static: Readonly<Record<string, unknown>>;
	readonly title?: string;
	readonly body?: string;
	readonly payloadTemplate: Readonly<Record<string, string>>;
	/** Of the task. */
	readonly bee?: string;
	readonly intent?: string;
	readonly review: Review;
	readonly autorun: boolean;
};

/** Text that is taken from a field of the event's payload, else what stands here. */
export type Drawn = {readonly from?: string; readonly default?: string};

/** One entry of `auto_invites`: an event that invites a person to talk with a bee. */
export type AutoInvite = {
	/** In colony.yaml. */
	readonly line: number;
	readonly when: DoneWhen['when'];
	/** Fields of the payload that must have these values. */
	readonly match: Readonly<Record<string, string>>;
	readonly bee: Drawn;
	readonly intent: Drawn;
	readonly task: Drawn & {
		/** Leads: a field of the newest signal of a kind in the trace, with words in front of it. */
		readonly recall?: {readonly kind: string; readonly field: string; readonly prefix: string};
		/** Another field of the event, before `from`. */
		readonly fallbackFrom?: string;
	};
	readonly artifactRef: Drawn;
	readonly doneWhen?: DoneWhen;
	/** A pending invite of the trace that has the same is enough. */
	readonly dedupe: readonly ('bee' | 'intent' | 'artifactRef')[];
};

/** Everything under `.hive/` that decides how traces are worked on. */
export type Colony = {
	/** Absolute git root. */
	readonly root: string;
	readonly slug: string;
	/**
	 * Names the colony on a message bus, the same in all of its clones (docs/rules.md §10); only a bus needs
	 * one.
	 */
	readonly id?: string;
	readonly defaults: {
		/** What a trace may spend whose cue or request says nothing else. */
		readonly budget: Budget;
		readonly defaultBee: string;
		readonly maxParallelRuns: number;
		readonly promptTemplate?: string;
		readonly systemTemplate?: string;
		/** Milliseconds that runs' trees are kept (docs/architecture.md §5); 30 days unless set. */
		readonly keep?: number;
		/** Bytes that the recording of a session may take, 0 for none; 16 MiB unless set. */
		readonly sessionRecording?: number;
		/** Programs that may outlive the run that started them. */
		readonly leaveRunning?: readonly string[];
		/** What becomes of a task whose run met a limit of its tool that passes; it waits for that unless set. */
		readonly onLimit?: 'pause' | 'fail';
		/** What becomes of a task whose run ended well and changed nothing; it completes unless set. */
		readonly onNoChange?: NoChangePolicy;
		/** Events that a run may emit; 2,000 unless set. */
		readonly maxEvents?: number;
	};
	/** In their order: the first that an event matches counts. */
	readonly autoInvites?: readonly AutoInvite[];
	/** What verifies the proposals of bees that have none of their own (docs/architecture.md §6). */
	readonly verify?: Verify;
	/** How a new worktree is made usable (docs/architecture.md §5). */
	readonly workspaces?: WorkspaceSetup;
	/** Prefix of the bus subjects; `hive.<slug>` unless set. */
	readonly subjectPrefix?: string;
	/** Name to root-relative path. */
	readonly sectors: ReadonlyMap<string, string>;
	readonly bees: ReadonlyMap<string, Bee>;
	readonly cues: ReadonlyMap<string, Cue>;
	/** Template text by name relative to `.hive/prompts/`, partials included. */
	readonly prompts: ReadonlyMap<string, string>;
	/**
	 * What could not be read, with file and line in `path` (`.hive/bees/x.yaml:3`); the rest is still usable.
	 */
	readonly problems: readonly Detail[];
	/** What reads well but should be written otherwise, located as `problems` are. */
	readonly warnings?: readonly Detail[];
};

export type Verify = {
	/** Argvs, run one after the other in a clean worktree up to the first that fails. */
	readonly commands: readonly (readonly string[])[];
	/** Milliseconds that they may take together. */
	readonly timeout: number;
	/** Without success nobody but a person completes the task. */
	readonly required: boolean;
};

export type WorkspaceSetup = {
	/** Commands run once in a new worktree, in order. */
	readonly setup: readonly (readonly string[])[];
	/** Ignored paths of the colony root to copy along; wildcards as in .gitignore. */
	readonly copy: readonly string[];
	/** Ignored paths that may go with the worktree. */
	readonly disposable: readonly string[];
};

/** The bee a task runs on: its own, or the colony's default. */
export const beeOf = (colony: Colony, role: string): Bee | undefined =>
	colony.bees.get(role || colony.defaults.defaultBee);

/** Without `subscribes` a bee takes tasks; with them it needs one on `task.ready`. */
export const takesTasks = (bee: Bee): boolean =>
	bee.subscribes.length === 0 ||
	bee.subscribes.some(
		({type, kind, dispatch}) =>
			type === 'SIGNAL' && dispatch === 'task' && (kind ?? 'task.ready') === 'task.ready',
	);

/** The bee names this event among those it publishes. */
export const declares = (bee: Bee, type: EventType, kind: string): boolean =>
	bee.publishes.some(rule => rule.type === type && rule.kind === kind);

/** It says of tasks that they are complete: the commit gate of what others propose. */
export const completes = (bee: Bee): boolean => declares(bee, 'VERIFICATION', 'task.completed');

/** A summary is made of the output of a run that gave none (docs/rules.md §8). */
export const isSummarized = ({runSummary, publishes}: Bee): boolean =>
	runSummary !== 'disabled' &&
	(publishes.length === 0 ||
		publishes.some(({type, kind}) => type === 'INSIGHT' && (kind ?? 'run.summary') === 'run.summary'));

/** The bee may not carry a final review: its proposals are in the root (docs/architecture.md §6). */
export const publishesRoot = (bee: Bee): boolean => declares(bee, 'MUTATION', 'code.proposal.root');

/** Where the bee works when it is free to: on tasks, and for events that are no proposals. */
export const ownWorkspace = ({worktree}: Bee): Workspace => (worktree ? 'isolated' : 'root');

/** Where a run of the bee works. */
export const workspaceOf = (bee: Bee, {workspace}: Pick<RunRecord, 'workspace'>): Workspace =>
	workspace ?? ownWorkspace(bee);

/**
 * The workspace whose proposals the runtime publishes for this bee: kind and `worktree` must agree
 * (docs/rules.md §6).
 */
export const proposesIn = (bee: Bee): Workspace | undefined => {
	const workspace = ownWorkspace(bee);
	return declares(bee, 'MUTATION', proposalKind(workspace)) ? workspace : undefined;
};

/** The run's change becomes a proposal of its bee: it works where the bee proposes. */
export const proposes = (bee: Bee, run: Pick<RunRecord, 'workspace'>): boolean =>
	proposesIn(bee) === workspaceOf(bee, run);

/**
 * What becomes of a task whose run could have proposed, ended well and changed nothing (docs/rules.md §9).
 */
export const noChangePolicy = (colony: Colony, bee: Bee): NoChangePolicy =>
	bee.onNoChange ?? colony.defaults.onNoChange ?? defaults.onNoChange;

/**
 * What the run leaves is on record: in a worktree it goes to a gate whoever left it; in the root the files
 * are the user's.
 */
export const keepsTrees = (bee: Bee, run: Pick<RunRecord, 'workspace'>): boolean =>
	workspaceOf(bee, run) === 'isolated' || proposes(bee, run);

/** It gives verdicts on proposals of that workspace. */
export const judges = (bee: Bee, workspace: Workspace): boolean =>
	bee.subscribes.some(
		({type, kind, dispatch}) =>
			type === 'MUTATION' &&
			dispatch === 'direct' &&
			(kind ?? proposalKind(workspace)) === proposalKind(workspace),
	) && bee.publishes.some(({type, kind}) => type === 'VERIFICATION' && kind !== undefined && isVerdict(kind));

/** It changes its workspace, which it has for itself then; any number of others may read there together. */
export const isWriter = (bee: Bee): boolean => proposesIn(bee) !== undefined;

/**
 * Why a run of a bee that declares proposals publishes none, at most once: their kind is of the workspace it
 * does not work in (docs/rules.md §6).
 */
export const misplacedProposals = (bee: Bee, run: Pick<RunRecord, 'workspace'>): readonly string[] => {
	const declared = (['isolated', 'root'] as const).filter(kind =>
		declares(bee, 'MUTATION', proposalKind(kind)),
	);
	const [kind] = declared;
	if (kind === undefined || proposes(bee, run)) return [];
	if (proposesIn(bee) === undefined)
		return [
			`Nothing is proposed: ${bee.file} publishes ${proposalKind(kind)} but has worktree: ${bee.worktree}.`,
		];
	const words = `${bee.role} worked in the ${workspaceOf(bee, run)} workspace, where what it answered is`;
	return [`Nothing is proposed: ${words}; it proposes in the ${ownWorkspace(bee)} one only.`];
};
