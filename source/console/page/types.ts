/** What the routes answer with, as far as the page shows it. */

export type Problem = {
	readonly status: number;
	readonly detail: string;
	readonly hint: string;
	readonly code: string;
};

export type Field = {
	readonly name: string;
	readonly kind: 'text' | 'integer' | 'number' | 'boolean' | 'choice' | 'list' | 'document';
	readonly required: boolean;
	readonly summary: string;
	readonly choices?: readonly string[];
	readonly initially?: boolean;
};

export type Action = {
	readonly id: string;
	readonly path: string;
	readonly doing: string;
	readonly summary: string;
	readonly description: string;
	readonly fields: readonly Field[];
};

export type Colony = {
	readonly slug: string;
	readonly branch: string;
	readonly reactor: string;
	readonly bus: {readonly state: string; readonly reason?: string};
	readonly caller: {readonly scope: 'act' | 'read'; readonly label: string};
	readonly problems: readonly string[];
	readonly cues: readonly {readonly id: string; readonly description: string}[];
	readonly bees: readonly {readonly name: string; readonly talks: boolean}[];
	readonly counts: {
		readonly inbox: number;
		readonly reviews: number;
		readonly invites: number;
		readonly bees: number;
	};
};

export type TraceRow = {
	readonly traceId: string;
	readonly name: string;
	readonly state: string;
	readonly note: string;
	readonly energyBudget: number;
	readonly energyRemaining: number;
	readonly lowEnergy: boolean;
	readonly spent: {readonly cost: number; readonly tokens: number};
	readonly work: {readonly done: number; readonly total: number};
	readonly activeCount: number;
	readonly updatedAt: string;
};

type TaskRow = {
	readonly traceId: string;
	readonly taskId: string;
	readonly name: string;
	readonly state: string;
	readonly status: string;
	readonly review: string;
	readonly bee: string;
	readonly summary: string;
	readonly dependsOn: readonly string[];
	readonly offers: readonly string[];
	readonly problem?: string;
};

export type Run = {
	readonly traceId: string;
	readonly agentId: string;
	readonly bee: string;
	readonly taskId: string;
	readonly status: string;
	readonly startedAt: string;
	readonly warnings: readonly string[];
};

export type Agent = Run & {
	readonly title: string;
	readonly kind: 'afk' | 'session';
	readonly doing: string;
	readonly used: string;
};

export type TracePage = TraceRow & {
	readonly summary: string;
	readonly offers: readonly string[];
	readonly tasks: readonly TaskRow[];
	readonly runs: readonly Run[];
};

export type TaskPage = {readonly task: TaskRow; readonly traceTitle: string; readonly runs: readonly Run[]};

export type Sections = {
	readonly sections: readonly {
		readonly id: string;
		readonly title: string;
		readonly lines: readonly {readonly name?: string; readonly text: string; readonly tone?: string}[];
	}[];
};

export type Line = {
	readonly kind: 'added' | 'removed' | 'same' | 'hunk';
	readonly text: string;
	/** Its numbers before and after. */
	readonly old?: number;
	readonly new?: number;
	/** Characters of each part of its code, and which kind that is. */
	readonly parts?: readonly (readonly [length: number, kind: string])[];
};

export type FileDiff = {
	readonly path: string;
	readonly added: number;
	readonly removed: number;
	readonly lines: readonly Line[];
};

export type Preview = {
	readonly workspace: string;
	readonly branch: string;
	readonly base: string;
	readonly tree: string;
	readonly files: readonly {readonly path: string; readonly added: number; readonly removed: number}[];
	readonly changes: readonly FileDiff[];
	readonly truncated: boolean;
	readonly conflicts: readonly string[];
	readonly unsaved: readonly string[];
	readonly planted: readonly string[];
	readonly notTaken: readonly string[];
};

export type InboxEntry = {
	readonly key: string;
	readonly kind: string;
	readonly traceId?: string;
	readonly taskId?: string;
	readonly inviteId?: string;
	readonly agentId?: string;
	readonly title: string;
	readonly sentence: string;
	readonly since?: string;
	readonly actions: readonly string[];
};

export type Review = {
	readonly gate: 'final' | 'required' | 'commit';
	readonly traceTitle: string;
	readonly task: TaskRow;
	readonly judgement: Readonly<Record<string, readonly string[]>>;
	readonly warnings: readonly {readonly bee: string; readonly text: string}[];
};

export type Invite = {
	readonly inviteId: string;
	readonly traceId: string;
	readonly bee: string;
	readonly task: string;
	readonly status: string;
	readonly createdAt: string;
};

export type Session = {
	readonly sessionId: string;
	readonly traceId: string;
	readonly bee: string;
	readonly state: string;
	readonly startedAt: string;
};

export type Event = {
	readonly sequence: number;
	readonly at: string;
	readonly traceId: string;
	readonly agentId: string;
	readonly type: string;
	readonly payload: {readonly kind: string};
	readonly view: {
		readonly text: string;
		readonly taskId: string;
		readonly status: string;
		readonly change: string;
	};
};

export type Topology = {
	readonly bees: readonly {readonly role: string; readonly adapter: string}[];
	readonly events: readonly {readonly id: string}[];
	readonly edges: readonly {readonly kind: string; readonly from: string; readonly to: string}[];
	readonly mermaid: string;
};

export type List<Item> = {
	readonly items: readonly Item[];
	readonly count?: number;
	readonly hasMore?: boolean;
};
