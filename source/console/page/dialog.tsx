import {type ComponentChildren, createContext} from 'preact';
import {useContext, useEffect, useRef, useState} from 'preact/hooks';
import type {Action, Field} from '../answers.ts';
import {type Answer, fillPath, type PathNames, type Problem, post} from './api.ts';
import {useDraft} from './drafts.ts';
import {effects, hintOf, labelOf} from './labels.ts';
import {refresh} from './live.ts';
import {safe} from './safe.tsx';
import {showMessage} from './status-message.tsx';

/** Removes the words typed in a dialog. Undefined while there are none. */
type Typed = {current: (() => void) | undefined};

const TypedContext = createContext<Typed>({current: undefined});

/** Tells the dialog around it how to remove the words that were typed. It then asks before it closes. */
const useTyped = (discard: (() => void) | undefined): void => {
	useContext(TypedContext).current = discard;
};

/** A dialog over the page. Escape and its button close it. If words were typed, it asks about them first. */
export const Dialog = ({
	title,
	close,
	children,
}: {
	title: string;
	close: () => void;
	children: ComponentChildren;
}) => {
	const box = useRef<HTMLDialogElement>(null);
	const typed = useRef<Typed['current']>(undefined);
	const [isAsking, ask] = useState(false);
	useEffect(() => {
		// The element that had the focus gets it back by the browser, if it is still there.
		box.current?.showModal();
	}, []);
	const leave = (): void => (typed.current === undefined ? close() : ask(true));
	return (
		<dialog
			ref={box}
			onClose={close}
			aria-label={title}
			onKeyDown={event => {
				if (event.key !== 'Escape') return;
				event.preventDefault();
				if (isAsking) ask(false);
				else leave();
			}}
		>
			<header>
				<h2>{title}</h2>
				<button type="button" class="plain" onClick={leave} aria-label="Close">
					✕
				</button>
			</header>
			{isAsking ? (
				<div class="card asks" role="alertdialog" aria-label="You typed something here">
					<p>You typed something here.</p>
					<div class="actions">
						<button type="button" class="act" ref={focusOn} onClick={() => ask(false)}>
							Go on
						</button>
						<button type="button" onClick={close}>
							Keep it for later
						</button>
						<button
							type="button"
							class="away"
							onClick={() => {
								typed.current?.();
								close();
							}}
						>
							Discard it
						</button>
					</div>
				</div>
			) : null}
			<TypedContext.Provider value={typed}>{children}</TypedContext.Provider>
		</dialog>
	);
};

const focusOn = (element: HTMLElement | null): void => element?.focus();

const Input = ({
	field,
	value,
	set,
	amounts = [],
	hasFocus,
}: {
	field: Field;
	value: unknown;
	set: (value: unknown) => void;
	/** Amounts that are offered beside the field. */
	amounts?: readonly number[];
	/** True if it gets the focus when its dialog opens. */
	hasFocus: boolean;
}) => {
	const {name, kind, required, choices = [], titles = {}} = field;
	if (kind === 'boolean')
		return (
			<input
				type="checkbox"
				name={name}
				checked={Boolean(value)}
				onChange={event => set(event.currentTarget.checked)}
			/>
		);
	if (kind === 'choice')
		return (
			<select name={name} onChange={event => set(event.currentTarget.value || undefined)}>
				{required ? null : <option value="">{name === 'rework' ? 'as hive finds it' : ''}</option>}
				{choices.map(choice => (
					<option key={choice} value={choice} selected={value === choice}>
						{safe(titles[choice] ?? choice)}
					</option>
				))}
			</select>
		);
	if (kind === 'integer' || kind === 'number') {
		const box = (
			<input
				type="number"
				name={name}
				min="0"
				step={kind === 'integer' ? 1 : 'any'}
				required={required}
				value={value === undefined ? '' : String(value)}
				onInput={event =>
					set(event.currentTarget.value === '' ? undefined : Number(event.currentTarget.value))
				}
			/>
		);
		return (
			<div class="amounts">
				{amounts.map(amount => (
					<button key={amount} type="button" aria-pressed={value === amount} onClick={() => set(amount)}>
						{amount}
					</button>
				))}
				{box}
			</div>
		);
	}
	return (
		<textarea
			name={name}
			autofocus={hasFocus}
			rows={name === 'tree' || name.endsWith('Id') ? 1 : 3}
			required={required}
			value={String(value ?? '')}
			onInput={event => set(event.currentTarget.value || undefined)}
		/>
	);
};

const nothingTyped: Readonly<Record<string, unknown>> = {};

/** A form for the fields of an action, which then performs it. */
export const Form = ({
	id = '',
	draft = '',
	fields,
	button,
	initially = {},
	buttons,
	amounts = [],
	perform,
	refused = () => undefined,
	isDanger = false,
	hasFocus = false,
	done,
}: {
	/** The action's id, for labels. */
	id?: string;
	/** The key under which typed words are kept; they are not kept without one. */
	draft?: string;
	fields: readonly Field[];
	button: string;
	initially?: Readonly<Record<string, unknown>>;
	/** More buttons, each with the values that it adds. */
	buttons?: readonly {readonly label: string; readonly values: Readonly<Record<string, unknown>>}[];
	/** Offered beside the first number. */
	amounts?: readonly number[];
	perform: (values: Readonly<Record<string, unknown>>) => Promise<Answer<{readonly message: string}>>;
	/** Called with a refusal. Returns the next step in words of the page; undefined for the refusal's hint. */
	refused?: ((problem: Problem) => string | undefined) | undefined;
	isDanger?: boolean;
	/** True if its first field gets the focus. */
	hasFocus?: boolean;
	done: () => void;
}) => {
	const defaults: Readonly<Record<string, unknown>> = {
		...Object.fromEntries(fields.flatMap(({name, initially: on}) => (on === undefined ? [] : [[name, on]]))),
		...initially,
	};
	const [typed, type] = useDraft(draft, nothingTyped);
	const values = {...defaults, ...typed};
	const isTyped = Object.values(typed).some(value => typeof value === 'string');
	useTyped(isTyped ? () => type(undefined) : undefined);
	const [problem, refuse] = useState<Problem>();
	const [isBusy, busy] = useState(false);
	const submit = async (event: SubmitEvent): Promise<void> => {
		event.preventDefault();
		const pressed = event.submitter instanceof HTMLButtonElement ? event.submitter.value : '';
		busy(true);
		const answer = await perform({...values, ...buttons?.find(({label}) => label === pressed)?.values});
		busy(false);
		if (!answer.ok) {
			const {problem} = answer;
			return refuse({...problem, hint: refused(problem) ?? problem.hint});
		}
		type(undefined);
		showMessage(answer.value.message || 'Done.');
		refresh();
		done();
	};
	return (
		<form onSubmit={event => void submit(event)}>
			{fields.map((field, index) => (
				<label key={field.name} class={field.kind === 'boolean' ? 'tick' : ''}>
					<span>
						<b>{labelOf(id, field)}</b> {hintOf(id, field)}
					</span>
					<Input
						field={field}
						amounts={index === 0 ? amounts : []}
						hasFocus={hasFocus && index === 0}
						value={values[field.name]}
						set={value => type({...typed, [field.name]: value})}
					/>
				</label>
			))}
			{problem === undefined ? null : (
				<p class="problem" role="alert">
					{safe(problem.detail)} {safe(problem.hint)}
				</p>
			)}
			<div class="actions">
				<button type="submit" class={isDanger ? 'away' : 'act'} disabled={isBusy}>
					{button}
				</button>
				{buttons?.map(({label}) => (
					<button key={label} type="submit" value={label} disabled={isBusy}>
						{label}
					</button>
				))}
			</div>
		</form>
	);
};

/** The fields of an action that its dialog asks for, in the order for people. */
const fieldsFor = (action: Action, names: PathNames, isAnswer: boolean): readonly Field[] =>
	action.fields
		.filter(
			({name, kind}) =>
				names[name] === undefined && name !== 'tree' && name !== 'expected' && kind !== 'document',
		)
		.map(field => (field.name === 'feedback' && isAnswer ? {...field, required: true} : field));

/** A dialog for the missing fields of an action. It performs the action with the tag of what was shown. */
export const ActionDialog = ({
	action,
	label,
	about,
	names,
	seen,
	initially,
	fixed = {},
	without = [],
	amounts,
	buttons,
	button = label,
	children,
	after,
	refused,
	isDanger = false,
	done,
	close,
}: {
	action: Action;
	label: string;
	/** The subject, shown instead of the action's description. The action then needs the person's text. */
	about?: string | undefined;
	names: PathNames;
	seen?: string | undefined;
	initially?: Readonly<Record<string, unknown>> | undefined;
	/** Values that the person does not type. */
	fixed?: Readonly<Record<string, unknown>> | undefined;
	/** Fields that are not asked for. */
	without?: readonly string[];
	amounts?: readonly number[] | undefined;
	buttons?: Parameters<typeof Form>[0]['buttons'];
	button?: string;
	/** Shown above the form instead of what the action does in general. */
	children?: ComponentChildren;
	/** Shown below the form. */
	after?: ComponentChildren;
	refused?: Parameters<typeof Form>[0]['refused'];
	/** True if it takes something away, so that its button is marked. */
	isDanger?: boolean;
	done: () => void;
	close: () => void;
}) => (
	<Dialog title={label} close={close}>
		{children ?? <p>{about === undefined ? (effects[action.id] ?? action.summary) : safe(about)}</p>}
		<Form
			id={action.id}
			draft={`${action.id} ${Object.values(names).join('/')}`}
			fields={fieldsFor(action, names, about !== undefined).filter(({name}) => !without.includes(name))}
			button={button}
			initially={Object.fromEntries(
				Object.entries(initially ?? {}).filter(([name]) => action.fields.some(field => field.name === name)),
			)}
			{...(buttons && {buttons})}
			{...(amounts && {amounts})}
			refused={refused}
			isDanger={isDanger}
			perform={values => post(fillPath(action.path, names), {...values, ...fixed}, seen)}
			done={() => {
				done();
				close();
			}}
		/>
		{after}
	</Dialog>
);
