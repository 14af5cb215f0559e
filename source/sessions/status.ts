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
	readonly title: string;
	/** The rows on the screen. */
	readonly rows: readonly string[];
	/** The cursor's row; undefined while the cursor is hidden. */
	readonly cursorRow: string | undefined;
	/** True for a program that has the alternate screen, such as an editor. */
	readonly isFullScreen: boolean;
};

/** Milliseconds without a change after which a program is at rest. Tools redraw at least once a second. */
const quietMs = 2500;
/** The same for a program that has called. A tool may call for a part of its work, and go on. */
const quietAfterCallMs = 1000;
/** A program that goes on for longer after its call, in milliseconds, does not wait for an answer. */
const maxWorkAfterCallMs = 4000;

/** The title of a tool that asks for a permission. Some let it blink. */
const callingTitle = /\baction required\b/iu;

/** Returns what a session does, and since when on the clock of the facts. Pure. */
export const sessionStatusOf = (
	facts: TerminalFacts,
): {readonly state: SessionStatus['state']; readonly since: number} => {
	const {now, changedAt, calledAt, typedAt, title} = facts;
	if (callingTitle.test(title)) return {state: 'waiting', since: now};
	const isCalled = calledAt > typedAt && changedAt - calledAt < maxWorkAfterCallMs;
	if (now - changedAt < (isCalled ? quietAfterCallMs : quietMs)) return {state: 'working', since: now};
	if (isCalled) return {state: 'waiting', since: calledAt};
	return {state: showsPrompt(facts) ? 'waiting' : 'idle', since: changedAt};
};

/** Rows with text at the end of a screen that are searched for a prompt. Dialogs have a dozen. */
const maxPromptRows = 14;

type Shown = Pick<TerminalFacts, 'rows' | 'cursorRow' | 'isFullScreen'>;

/** True if the screen asks for input: at the cursor, or with a prompt that the program draws itself. */
const showsPrompt = ({rows, cursorRow, isFullScreen}: Shown): boolean =>
	(cursorRow !== undefined && (isFullScreen || asks(withoutFrame(cursorRow)))) ||
	textRows(rows).slice(-maxPromptRows).some(isDrawnPrompt) ||
	hasInputBox(rows.filter(row => row.trim() !== '').slice(-maxPromptRows));

/** A mark at the start of a row, of a prompt or a choice: `>`, `\u276f`, `\u203a`, and other arrows. */
const promptMark = /^[>\u276f\u203a\u00bb\u25b8\u279c\u2192](?: |$)/u;
/** The end of a shell's prompt or of a question: `$`, `?`, `:`, `>`. */
const promptEnd = /[$%#>\u276f\u203a:?]$/u;
const yesOrNo = /[([]y(?:es)?\/no?[)\]]/iu;
/** A marked choice of a numbered list. */
const choice = /^[\u25cf\u25c9\u2022*]\s*\d+[.)] /u;
/** What a dialog says of its keys: `Enter to confirm`, `Enter/Space to change`. */
const confirmation = /\benter(?:\/\w+)? (?:to )?(?:confirm|select|continue|submit|change)\b/iu;

const asks = (row: string): boolean => promptMark.test(row) || promptEnd.test(row) || yesOrNo.test(row);

const isDrawnPrompt = (row: string): boolean =>
	promptMark.test(row) || choice.test(row) || confirmation.test(row) || yesOrNo.test(row);

/** A line across the screen. */
const bar = /^\s*[\u2500\u2501\u2550\u2580\u2584]{20,}\s*$/u;
/** Max rows between the lines of a box that takes input. */
const maxBoxRows = 8;

/** True for an input box that a program draws between two lines across the screen. */
const hasInputBox = (rows: readonly string[]): boolean => {
	const bars = rows.flatMap((row, at) => (bar.test(row) ? [at] : []));
	return bars.some((at, index) => {
		const next = bars[index + 1];
		return next !== undefined && next - at - 1 <= maxBoxRows;
	});
};

/** Returns the rows that have more than frames, without the frames. */
export const textRows = (rows: readonly string[]): readonly string[] =>
	rows.map(withoutFrame).filter(row => row !== '');

const withoutFrame = (row: string): string => row.replace(/^[\s|\u2500-\u259f]+|[\s|\u2500-\u259f]+$/gu, '');
