import type {ActionId} from '../../host/actions/table.ts';
import type {Line} from '../parts/line.ts';

/** Text being written, with the cursor before the character at `cursor`. */
export type TextInput = {
	readonly text: string;
	readonly cursor: number;
	/** Column that the cursor keeps while it goes up and down past shorter rows. */
	readonly column?: number;
};

/** A text the form asks for, named as the action's input has it; `required` refuses an empty one. */
export type Field = {
	readonly name: string;
	readonly label: string;
	readonly input: TextInput;
	/** Of any number of lines: Enter starts one. */
	readonly multiline?: boolean;
	/** What stood in it at first: it is nobody's words. */
	readonly initial?: string;
	readonly required?: string;
};

/** Named by its label. */
export type Option = {
	/** As the action's input has it, where that is not the name of them all. */
	readonly name?: string;
	readonly label: string;
	readonly value: string | number;
	readonly note?: string;
};

export type Choices = {
	/** As the action's input has it. */
	readonly name: string;
	/** With a note they stand below each other. */
	readonly options: readonly Option[];
	/** Index of an option; -1 while none is chosen. */
	readonly selected: number;
};

/** The first button is always Cancel. `key` presses it from anywhere outside a text field. */
export type Button = {
	readonly label: string;
	readonly key?: string;
	readonly value: string;
	/** What pressing this one adds to the input. */
	readonly input?: Input;
	/** What it asks for in the place of what the form does. */
	readonly request?: Request;
	/** The dialog that it opens in the place of this one. */
	readonly form?: Form;
};

export type Input = Readonly<Record<string, unknown>>;

/** What submitting asks for. The subject is frozen in the input: a refresh cannot move it. */
export type Request =
	| {readonly action: ActionId; readonly input: Input}
	/** `line` of the input is run. */
	| {readonly action: 'command'; readonly input: Input}
	| MarkedRequest
	| {readonly action: 'comment'; readonly input: Input}
	| {readonly action: 'quit'};

/** Approvals or updates, one after the other, each with what it is called. */
export type MarkedRequest = {
	readonly action: 'approve marked' | 'update marked';
	readonly targets: readonly {
		readonly name: string;
		readonly input: Input;
		/** Git's id of the work as it was looked at, of what would be merged. */
		readonly work?: string;
	}[];
};

export type Form = {
	/** UTC milliseconds; also what tells one form from the next. */
	readonly openedAt: number;
	readonly title: string;
	readonly lines: readonly Line[];
	readonly fields: readonly Field[];
	readonly choices?: Choices;
	readonly buttons: readonly Button[];
	/** Index into fields, then choices, then buttons. */
	readonly focus: number;
	readonly request: Request;
	/** Nothing can be submitted yet, or any more. */
	readonly busy: boolean;
	/** Why the last try was refused, or what another Esc would do. */
	readonly notice: string;
	/** Esc was pressed though words would be lost: the next one throws them away. */
	readonly isLeaving?: boolean;
};

/** The request with all that was filled in, and the button that was pressed. */
export type Submission = {readonly request: Request; readonly button: string};

/** Keys this soon after opening were meant for what was there before, in milliseconds. */
export const deafMilliseconds = 200;

/** At a time in UTC milliseconds. */
export const isDeaf = ({openedAt}: Form, now: number): boolean => now - openedAt < deafMilliseconds;

/** Where the first button stands among what can have the focus. */
export const buttonsAt = ({fields, choices}: Form): number => fields.length + (choices ? 1 : 0);

/** Options with notes stand below each other. */
export const isColumn = ({options}: Pick<Choices, 'options'>): boolean =>
	options.some(({note}) => note !== undefined);

export const withField = (form: Form, field: Field): Form => ({
	...form,
	fields: form.fields.map(other => (other.name === field.name ? field : other)),
	notice: '',
	isLeaving: false,
});
