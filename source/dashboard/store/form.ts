import type {ActionId} from '../../host/actions/table.ts';
import type {Line} from '../parts/line.ts';

/** Text in an input field. The cursor is before the character at `cursor`. */
export type TextInput = {
	readonly text: string;
	readonly cursor: number;
	/** The column to return to when the cursor moves past shorter rows. */
	readonly column?: number;
};

/**
 * A text field, named as in the action's input; `params.model` is a field of a field. `required` is the
 * message for an empty one.
 */
export type Field = {
	readonly name: string;
	readonly label: string;
	readonly input: TextInput;
	/** True if it has several lines: Enter starts a new one. */
	readonly multiline?: boolean;
	/** The initial text. While unchanged it is not counted as written by the person. */
	readonly initial?: string;
	readonly required?: string;
};

/** A choice, identified by its label. */
export type Option = {
	/** Name in the action's input, if it differs from the name of the choices. */
	readonly name?: string;
	readonly label: string;
	readonly value: string | number;
	readonly note?: string;
};

export type Choices = {
	/** Name in the action's input. */
	readonly name: string;
	/** Options with notes are listed below each other. */
	readonly options: readonly Option[];
	/** Index of an option; -1 while none is chosen. */
	readonly selected: number;
	/** Set if the text of the form comes first: with little room, only the selected option has a row. */
	readonly isSecondary?: true;
};

/** The first button is always Cancel. `key` presses the button from anywhere outside a text field. */
export type Button = {
	readonly label: string;
	readonly key?: string;
	readonly value: string;
	/** Added to the input when this button is pressed. */
	readonly input?: Input;
	/** Replaces the form's request when this button is pressed. */
	readonly request?: Request;
	/** A form that replaces this one when the button is pressed. */
	readonly form?: Form;
};

export type Input = Readonly<Record<string, unknown>>;

/** The request that is submitted. Its subject is fixed in the input, so a refresh cannot change it. */
export type Request =
	| {readonly action: ActionId; readonly input: Input}
	/** Runs `line` of the input. */
	| {readonly action: 'command'; readonly input: Input}
	| MarkedRequest
	| {readonly action: 'comment'; readonly input: Input}
	/** Opens a shell in `path` of the input. */
	| {readonly action: 'shell'; readonly input: Input}
	| {readonly action: 'quit'};

/** Approvals or updates, done one after the other, each with the name of its target. */
export type MarkedRequest = {
	readonly action: 'approve marked' | 'update marked';
	readonly targets: readonly {
		readonly name: string;
		readonly input: Input;
		/** Git's id of the reviewed work, which is what would be merged. */
		readonly work?: string;
	}[];
};

export type Form = {
	/** Milliseconds since 1970. Also identifies the form. */
	readonly openedAt: number;
	readonly title: string;
	readonly lines: readonly Line[];
	readonly fields: readonly Field[];
	readonly choices?: Choices;
	readonly buttons: readonly Button[];
	/** Index into fields, then choices, then buttons. */
	readonly focus: number;
	readonly request: Request;
	/** True if the form cannot be submitted yet, or any more. */
	readonly busy: boolean;
	/** Why the last submission was refused, or what another Esc would do. */
	readonly notice: string;
	/** True after an Esc that would lose text. The next Esc discards the text. */
	readonly isLeaving?: boolean;
};

/** The request with all input, and the button that was pressed. */
export type Submission = {readonly request: Request; readonly button: string};

/** Milliseconds after opening during which keys were meant for the previous screen. */
export const inputGuardMs = 200;

/** @param now milliseconds since 1970 */
export const isInputGuarded = ({openedAt}: Form, now: number): boolean => now - openedAt < inputGuardMs;

/** Index of the first button among the controls that can have the focus. */
export const firstButtonIndex = ({fields, choices}: Form): number => fields.length + (choices ? 1 : 0);

/** True if the options are listed below each other. */
export const isVerticalList = ({options}: Pick<Choices, 'options'>): boolean =>
	options.some(({note}) => note !== undefined);

export const withField = (form: Form, field: Field): Form => ({
	...form,
	fields: form.fields.map(other => (other.name === field.name ? field : other)),
	notice: '',
	isLeaving: false,
});
