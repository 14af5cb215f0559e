import type {SessionStatus} from '../domain/session-status.ts';

/** Facts about a session's terminal. Times are milliseconds of one monotonic clock. */
export type TerminalFacts = {
	readonly now: number;
	/** When the text on the screen changed last, other than by a person's typing or a new size. */
	readonly changedAt: number;
	/** When the program last called for a person: by bell, notification or hook. */
	readonly calledAt: number;
	/** When a person typed last. */
	readonly typedAt: number;
	/** The rows on the screen. */
	readonly rows: readonly string[];
	/** The cursor's row; undefined while the cursor is hidden. */
	readonly cursorRow: string | undefined;
};

/** Milliseconds without a change after which a program is at rest. Tools redraw at least once a second. */
export const quietMs = 2500;
/** A program that goes on for longer after its call, in milliseconds, does not wait for an answer. */
const maxWorkAfterCallMs = 4000;

/** Returns what a session does, and since when on the clock of the facts. Pure. */
export const sessionStatusOf = (
	facts: TerminalFacts,
): {readonly state: SessionStatus['state']; readonly since: number} => {
	const {now, changedAt, calledAt, typedAt} = facts;
	if (calledAt > typedAt && changedAt - calledAt < maxWorkAfterCallMs)
		return {state: 'waiting', since: calledAt};
	if (now - changedAt < quietMs) return {state: 'working', since: now};
	return {state: showsPrompt(facts) ? 'waiting' : 'idle', since: changedAt};
};

/** Rows with text at the end of a screen that are searched for a prompt. Dialogs have a dozen. */
const maxPromptRows = 14;

/** True if the screen asks for input: at the cursor, or with a prompt that the program draws itself. */
const showsPrompt = ({rows, cursorRow}: Pick<TerminalFacts, 'rows' | 'cursorRow'>): boolean =>
	(cursorRow !== undefined && asks(withoutFrame(cursorRow))) ||
	textRows(rows).slice(-maxPromptRows).some(isDrawnPrompt);

/** A shell's or a question's end: `$`, `?`, `:`, `>`, `(y/n)`, `[Y/n]`. */
const asks = (row: string): boolean =>
	promptMark.test(row) || /[$%#>\u276f\u203a:?](?: |$)|[([]y(?:es)?\/no?[)\]]/iu.test(row);

/** A mark at the start of a row: `>`, `\u276f`, `\u203a`, and similar arrows. */
const promptMark = /^[>\u276f\u203a\u00bb\u25b8\u279c](?: |$)/u;

const isDrawnPrompt = (row: string): boolean => promptMark.test(row);

/** Returns the rows that have more than frames, without the frames. */
export const textRows = (rows: readonly string[]): readonly string[] =>
	rows.map(withoutFrame).filter(row => row !== '');

const withoutFrame = (row: string): string => row.replace(/^[\s|\u2500-\u259f]+|[\s|\u2500-\u259f]+$/gu, '');
