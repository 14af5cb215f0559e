import type {ContainSetting} from '../domain/containment.ts';
import type {Detail} from '../domain/errors.ts';
import type {EventType} from '../domain/event.ts';
import type {DoneWhen} from '../domain/invite.ts';
import type {LandingStrategy} from '../domain/landing.ts';
import type {PlanReview} from '../domain/plan-review.ts';
import {isVerdict, proposalKind} from '../domain/proposal-kind.ts';
import type {NoChangePolicy} from '../domain/question.ts';
import type {Budget} from '../domain/reserve.ts';
import type {RunRecord} from '../domain/run.ts';
import type {Review, Workspace} from '../domain/task.ts';
import {defaults} from './defaults.ts';
import type {ForgeSettings} from './forge.ts';

export const adapters = ['acp', 'alpha', 'beta', 'claude', 'codex', 'gemini', 'opencode', 'script'] as const;
export type AdapterName = (typeof adapters)[number];

/** The agents that hive knows by name for adapter `acp`. */
export const acpAgentNames = ['claude', 'codex', 'gemini', 'opencode', 'pi'] as const;
export type AcpAgentName = (typeof acpAgentNames)[number];

/** An event a bee publishes or subscribes to. Without a kind it matches every kind of its type. */
export type EventRule = {readonly type: EventType; readonly kind?: string};

/** `task`: the bee runs tasks of the ledger. `direct`: it runs when a matching event arrives. */
export type Subscription = EventRule & {readonly dispatch: 'task' | 'direct'};

export type ContractRule = {
	readonly type: EventType;
	readonly kindOneOf: readonly string[];
	readonly count: number;
};

/** Acts as `edit`, `shell(git push *)`, or in the words of the agent tool. */
export type Permissions = Readonly<Record<'allow' | 'ask' | 'deny', readonly string[]>>;

/**
 * One `.hive/bees/<name>.yaml`, with defaults filled in. `code.proposal` is read as `code.proposal.isolated`.
 */
export type Bee = {
	readonly role: string;
	/** Colony-relative file it was read from. */
	readonly file: string;
	readonly adapter: AdapterName;
	/** Only for adapter `acp`, which has either this or a `command`. */
	readonly agent?: AcpAgentName;
	/** Full argv; replaces the mapping of `params`. For adapter `acp` it is the argv of the agent. */
	readonly command?: readonly string[];
	/** Full argv of a session; a bee with a `command` has none without it. */
	readonly interactiveCommand?: readonly string[];
	readonly postExec?: readonly string[];
	readonly params: Readonly<Record<string, unknown>>;
	/** True if the file has params that its command makes ineffective. */
	readonly ignoresParams?: boolean;
	/** Relative to `.hive/prompts/`. */
	readonly promptTemplate?: string;
	/** The prompt of a session that a person began. */
	readonly interactiveTemplate?: string;
	readonly systemTemplate?: string;
	readonly runSummary: 'auto' | 'required' | 'disabled';
	readonly completionContract: readonly ContractRule[];
	readonly worktree: boolean;
	readonly sector?: string;
	readonly intents: readonly string[];
	readonly defaultIntent?: string;
	/** Max duration of a run, in milliseconds. */
	readonly timeout?: number;
	/** What its agent may do, must ask for, and may not do. Absent: as its adapter's preset has it. */
	readonly permissions?: Permissions;
	/** Max duration of a wait for a person's answer, in milliseconds; overrides the colony's. */
	readonly askTimeout?: number;
	/** Verification of its proposals; overrides the colony's. */
	readonly verify?: Verify | 'disabled';
	/** The policy for its task when a run ends well without a change; overrides the colony's. */
	readonly onNoChange?: NoChangePolicy;
	/** Containment of its runs: its own keys over the colony's. Absent: its runs are not contained. */
	readonly contain?: ContainSetting;
	/** Its runs may start new traces, which are charged to the reserve of the run's trace. */
	readonly mayStartTraces?: true;
	/** Empty: the bee takes `task.ready`, and no direct events. */
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
	/** Kind of the signal. */
	readonly kind?: string;
	readonly static: Readonly<Record<string, unknown>>;
	readonly title?: string;
	readonly body?: string;
	readonly payloadTemplate: Readonly<Record<string, string>>;
	/** Bee of the task. */
	readonly bee?: string;
	readonly intent?: string;
	readonly review: Review;
	readonly autorun: boolean;
	/** Review of plans in traces that it begins; the colony's unless set. */
	readonly planReview?: PlanReview;
};

/** Text from a field of the event's payload, with a default. */
export type Drawn = {readonly from?: string; readonly default?: string};

/** One entry of `auto_invites`: an event that invites a person to talk with a bee. */
export type AutoInvite = {
	/** Line in colony.yaml. */
	readonly line: number;
	readonly when: DoneWhen['when'];
	/** Required values of payload fields. */
	readonly match: Readonly<Record<string, string>>;
	readonly bee: Drawn;
	readonly intent: Drawn;
	readonly task: Drawn & {
		/** Takes precedence: a field of the trace's newest signal of this kind, with a prefix. */
		readonly recall?: {readonly kind: string; readonly field: string; readonly prefix: string};
		/** Another field of the event, tried before `from`. */
		readonly fallbackFrom?: string;
	};
	readonly artifactRef: Drawn;
	readonly doneWhen?: DoneWhen;
	/** No invite is made if the trace has a pending one with these fields equal. */
	readonly dedupe: readonly ('bee' | 'intent' | 'artifactRef')[];
};

/** Everything below `.hive/` that decides how traces are worked on. */
export type Colony = {
	/** Absolute git root. */
	readonly root: string;
	readonly slug: string;
	/**
	 * Identifies the colony on a message bus, equal in all its clones (docs/rules.md §10). Only needed with a
	 * bus.
	 */
	readonly id?: string;
	readonly defaults: {
		/** Budget of a trace, unless its cue or request sets one. */
		readonly budget: Budget;
		readonly defaultBee: string;
		readonly maxParallelRuns: number;
		readonly promptTemplate?: string;
		readonly interactiveTemplate?: string;
		readonly systemTemplate?: string;
		/** Milliseconds that the trees of runs are kept (docs/architecture.md §5); 30 days unless set. */
		readonly keep?: number;
		/** Max bytes of a session's recording, 0 for none; 16 MiB unless set. */
		readonly sessionRecording?: number;
		/** Programs that may outlive the run that started them. */
		readonly leaveRunning?: readonly string[];
		/**
		 * Policy for a task whose run met a temporary limit of its tool; unless set, the task waits for the
		 * limit.
		 */
		readonly onLimit?: 'pause' | 'fail';
		/** Policy for a task whose run ended well without a change; unless set, the task completes. */
		readonly onNoChange?: NoChangePolicy;
		/** Max duration of a run's wait for a person's answer, in milliseconds; unless set, it has no end. */
		readonly askTimeout?: number;
		/** Max events that a run may emit; 2,000 unless set. */
		readonly maxEvents?: number;
		/** A file whose change has more bytes is summarised in reviews; 1 MiB unless set. */
		readonly largeChange?: number;
		/** Params of bees that a plan or a request may set; none unless set. */
		readonly planParams?: readonly string[];
		/** Whether a person accepts each plan of a bee before its tasks start; `none` unless set. */
		readonly planReview?: PlanReview;
	};
	/** The rules in order: the first one that matches an event applies. */
	readonly autoInvites?: readonly AutoInvite[];
	/** Verification of proposals of bees without their own (docs/architecture.md §6). */
	readonly verify?: Verify;
	/** Containment of runs of bees without their own keys, and of verifications. */
	readonly contain?: ContainSetting;
	/** How merges reach others; they stay in the clone unless set. */
	readonly land?: Land;
	/** Where requests are opened; nowhere unless set. */
	readonly forge?: ForgeSettings;
	/** Setup of a new worktree (docs/architecture.md §5). */
	readonly workspaces?: WorkspaceSetup;
	/** Prefix of the bus subjects; `hive.<slug>` unless set. */
	readonly subjectPrefix?: string;
	/** Root-relative path by name. */
	readonly sectors: ReadonlyMap<string, string>;
	readonly bees: ReadonlyMap<string, Bee>;
	readonly cues: ReadonlyMap<string, Cue>;
	/** Template text by name relative to `.hive/prompts/`, partials included. */
	readonly prompts: ReadonlyMap<string, string>;
	/** Problems of files, with file and line in `path` (`.hive/bees/x.yaml:3`). The rest is still usable. */
	readonly problems: readonly Detail[];
	/** Readable settings that should be written differently, located as `problems` are. */
	readonly warnings?: readonly Detail[];
};

export const pushPolicies = ['none', 'required'] as const;

type Land = {
	/**
	 * `required`: the upstream of a base is fetched before a trace starts and before a merge, and the merge is
	 * pushed there before its review completes.
	 */
	readonly push: (typeof pushPolicies)[number];
	/** How an approval lands unless the person chooses. */
	readonly strategy: LandingStrategy;
};

export type Verify = {
	/** Argvs, run in order in a clean worktree until the first failure. */
	readonly commands: readonly (readonly string[])[];
	/** Max duration of all commands together, in milliseconds. */
	readonly timeout: number;
	/** Without success only a person can complete the task, and nothing lands that was not checked. */
	readonly required: boolean;
	/** How long a success counts for the same tree, in milliseconds. Default: a day. */
	readonly reuse?: number;
	/** Maximum number of landings that are checked at a time. Default 2. */
	readonly parallel?: number;
};

export type WorkspaceSetup = {
	/** Commands run once in a new worktree, in order. */
	readonly setup: readonly (readonly string[])[];
	/** Ignored paths of the colony root to copy into it; wildcards as in .gitignore. */
	readonly copy: readonly string[];
	/** Ignored paths that may be deleted with the worktree. */
	readonly disposable: readonly string[];
	/** What setup makes, to be kept and copied into later worktrees. */
	readonly cache?: SetupCache;
};

export type SetupCache = {
	/** Tracked files that decide what setup makes. */
	readonly key: readonly string[];
	/** What setup makes; none is below another. */
	readonly paths: readonly string[];
};

/** The bee that runs a task: the one it names, or the colony's default. */
export const beeOf = (colony: Colony, role: string): Bee | undefined =>
	colony.bees.get(role || colony.defaults.defaultBee);

/** True if the bee takes tasks. With `subscribes` it needs a subscription to `task.ready`. */
export const takesTasks = (bee: Bee): boolean =>
	bee.subscribes.length === 0 ||
	bee.subscribes.some(
		({type, kind, dispatch}) =>
			type === 'SIGNAL' && dispatch === 'task' && (kind ?? 'task.ready') === 'task.ready',
	);

/** True if the bee publishes this event. */
export const declares = (bee: Bee, type: EventType, kind: string): boolean =>
	bee.publishes.some(rule => rule.type === type && rule.kind === kind);

/** True if the bee declares tasks complete, which makes it the commit gate of other bees' proposals. */
export const completes = (bee: Bee): boolean => declares(bee, 'VERIFICATION', 'task.completed');

/** True if a run without a summary gets one from its output (docs/rules.md §8). */
export const isSummarized = ({runSummary, publishes}: Bee): boolean =>
	runSummary !== 'disabled' &&
	(publishes.length === 0 ||
		publishes.some(({type, kind}) => type === 'INSIGHT' && (kind ?? 'run.summary') === 'run.summary'));

/** True if the bee proposes in the root. It may not carry a final review then (docs/architecture.md §6). */
export const publishesRoot = (bee: Bee): boolean => declares(bee, 'MUTATION', 'code.proposal.root');

/** The workspace of the bee for tasks, and for events other than proposals. */
export const ownWorkspace = ({worktree}: Bee): Workspace => (worktree ? 'isolated' : 'root');

/** The workspace of a run of the bee. */
export const workspaceOf = (bee: Bee, {workspace}: Pick<RunRecord, 'workspace'>): Workspace =>
	workspace ?? ownWorkspace(bee);

/**
 * The workspace whose proposals the runtime publishes for this bee. The kind and `worktree` must agree
 * (docs/rules.md §6).
 */
export const proposesIn = (bee: Bee): Workspace | undefined => {
	const workspace = ownWorkspace(bee);
	return declares(bee, 'MUTATION', proposalKind(workspace)) ? workspace : undefined;
};

/** True if the run's change becomes a proposal: it works in the workspace in which its bee proposes. */
export const proposes = (bee: Bee, run: Pick<RunRecord, 'workspace'>): boolean =>
	proposesIn(bee) === workspaceOf(bee, run);

/**
 * The policy for a task whose run could have proposed, but ended well without a change (docs/rules.md §9).
 */
export const noChangePolicy = (colony: Colony, bee: Bee): NoChangePolicy =>
	bee.onNoChange ?? colony.defaults.onNoChange ?? defaults.onNoChange;

/**
 * True if the run's trees are recorded. In a worktree every change goes to a gate, from any bee. In the root
 * the files are the user's, so only a proposing run is recorded.
 */
export const keepsTrees = (bee: Bee, run: Pick<RunRecord, 'workspace'>): boolean =>
	workspaceOf(bee, run) === 'isolated' || proposes(bee, run);

/** True if the bee judges proposals of that workspace. */
export const judges = (bee: Bee, workspace: Workspace): boolean =>
	bee.subscribes.some(
		({type, kind, dispatch}) =>
			type === 'MUTATION' &&
			dispatch === 'direct' &&
			(kind ?? proposalKind(workspace)) === proposalKind(workspace),
	) && bee.publishes.some(({type, kind}) => type === 'VERIFICATION' && kind !== undefined && isVerdict(kind));

/**
 * True if the bee changes its workspace, which it then uses exclusively. Any number of other bees may read in
 * one together.
 */
export const isWriter = (bee: Bee): boolean => proposesIn(bee) !== undefined;

/**
 * Why a run of a bee that declares proposals publishes none, at most one sentence. Their kind belongs to a
 * workspace in which the run does not work (docs/rules.md §6).
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
	const words = `${bee.role} worked in the ${workspaceOf(bee, run)} workspace, where the event that it answered came from`;
	return [`Nothing is proposed: ${words}; it proposes only in the ${ownWorkspace(bee)} one.`];
};
