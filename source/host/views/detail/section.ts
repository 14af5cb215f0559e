import type {Used} from '../../../domain/run.ts';
import type {Cause} from '../../../ledger/why.ts';

/** The meaning of a text. Each face decides how that looks. */
export type DetailTone = 'plain' | 'strong' | 'dim' | 'good' | 'bad' | 'accent' | 'info';

/** One line: a named fact, or a text without a name. */
export type DetailLine = {readonly name?: string; readonly text: string; readonly tone?: DetailTone};

export type SectionId =
	| 'failure'
	| 'task'
	| 'trace'
	| 'timeline'
	| 'why'
	| 'review'
	| 'runs'
	| 'files'
	| 'prompt';

/** One part of the details of a task, a run or a trace. */
export type Section = {readonly id: SectionId; readonly title: string; readonly lines: readonly DetailLine[]};

/** The subject whose facts are read. */
export type DetailTarget = {
	readonly traceId: string;
	readonly taskId?: string | undefined;
	/** The run whose directory is read. */
	readonly agentId?: string | undefined;
};

/** One thing that it waits for now. */
type Wait = {readonly for: string; readonly what: string; readonly next?: string};

/**
 * Facts that are not in the snapshot of a trace, read from the log and from the directory of the shown run.
 * Secrets are removed.
 */
export type DetailFacts = {
	/** The events that led to the task's state, oldest first. */
	readonly causes: readonly Cause[];
	readonly waits: readonly Wait[];
	/** Usage by run id, for runs that report it. */
	readonly used: ReadonlyMap<string, Used>;
	readonly run?: RunFacts;
};

/** Facts in the directory of a run. Texts are complete, and empty if there are none. */
export type RunFacts = {
	readonly agentId: string;
	readonly prompt: string;
	/** The agent's last message. */
	readonly message: string;
	/** Why it failed, according to its tool or hive. */
	readonly error: string;
	/** Its standard error, or whole lines from the end of it. */
	readonly errors: string;
	/** True if it wrote more before those. */
	readonly hasEarlierErrors: boolean;
	readonly warnings: readonly string[];
	readonly files: readonly {readonly path: string; readonly added: number; readonly removed: number}[];
	/** The other checkout that has its directory, if any: then nothing is known of it here. */
	readonly elsewhere?: string;
};

export const fact = (name: string, text: string, tone?: DetailTone): readonly DetailLine[] =>
	text === ''
		? []
		: text.split('\n').map((line, index) => ({
				...(index === 0 ? {name} : {name: ''}),
				text: line,
				...(tone && {tone}),
			}));

/** Returns a text as it is, in lines; empty for an empty text. */
export const textLines = (text: string, tone?: DetailTone): readonly DetailLine[] =>
	text.trim() === ''
		? []
		: text
				.replace(/\n+$/, '')
				.split('\n')
				.map(line => ({text: line, ...(tone && {tone})}));

/** Adds an empty line and a heading before the lines; empty if there are no lines. */
export const headed = (heading: string, lines: readonly DetailLine[]): readonly DetailLine[] =>
	lines.length === 0 ? [] : [{text: ''}, {text: heading, tone: 'strong'}, ...lines];

/** Returns the section, unless it is empty. */
export const section = (id: SectionId, title: string, lines: readonly DetailLine[]): readonly Section[] =>
	lines.length === 0 ? [] : [{id, title, lines}];
