import type {Used} from '../../../domain/run.ts';
import type {Cause} from '../../../ledger/why.ts';

/** What a text means; a face decides what that looks like. */
export type DetailTone = 'plain' | 'strong' | 'dim' | 'good' | 'bad' | 'accent' | 'info';

/** A fact with its name, or a text without one; one line. */
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

/** One part of what there is to know of a task, a run or a trace. */
export type Section = {readonly id: SectionId; readonly title: string; readonly lines: readonly DetailLine[]};

/** What facts are read of. */
export type DetailTarget = {
	readonly traceId: string;
	readonly taskId?: string | undefined;
	/** The run whose directory is read. */
	readonly agentId?: string | undefined;
};

/** One thing that it waits for now. */
type Wait = {readonly for: string; readonly what: string; readonly next?: string};

/**
 * What is not in the snapshot of a trace: read of the log, and of the directory of the run that is shown.
 * Secrets are taken out.
 */
export type DetailFacts = {
	/** What put the task where it is, oldest first. */
	readonly causes: readonly Cause[];
	readonly waits: readonly Wait[];
	/** Of runs that say so, by their ids. */
	readonly used: ReadonlyMap<string, Used>;
	readonly run?: RunFacts;
};

/** What its directory says of a run; texts whole, empty for nothing. */
export type RunFacts = {
	readonly agentId: string;
	readonly prompt: string;
	/** The agent's last words. */
	readonly words: string;
	/** Why it failed, as its tool or hive says. */
	readonly error: string;
	/** What it wrote to standard error, or whole lines from the end of that. */
	readonly errors: string;
	/** It wrote more before those. */
	readonly hasEarlierErrors: boolean;
	readonly warnings: readonly string[];
	readonly files: readonly {readonly path: string; readonly added: number; readonly removed: number}[];
	/** The checkout that has its directory, when it is another: nothing is known of it here. */
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

/** A text as it is, in lines; none for nothing. */
export const textLines = (text: string, tone?: DetailTone): readonly DetailLine[] =>
	text.trim() === ''
		? []
		: text
				.replace(/\n+$/, '')
				.split('\n')
				.map(line => ({text: line, ...(tone && {tone})}));

/** A text below a heading and behind an empty line; none of both for nothing. */
export const headed = (heading: string, lines: readonly DetailLine[]): readonly DetailLine[] =>
	lines.length === 0 ? [] : [{text: ''}, {text: heading, tone: 'strong'}, ...lines];

/** The section, unless there is nothing in it. */
export const section = (id: SectionId, title: string, lines: readonly DetailLine[]): readonly Section[] =>
	lines.length === 0 ? [] : [{id, title, lines}];
