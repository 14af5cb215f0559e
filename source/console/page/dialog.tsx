import type {ComponentChildren} from 'preact';
import {useEffect, useRef, useState} from 'preact/hooks';
import type {Action, Field} from '../answers.ts';
import {type Answer, fillPath, type PathNames, type Problem, post} from './api.ts';
import {refresh} from './live.ts';
import {safe} from './safe.tsx';
import {showMessage} from './status-message.tsx';

/** A dialog over the page. Escape and its button close it. */
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
	useEffect(() => box.current?.showModal(), []);
	return (
		<dialog ref={box} onClose={close} aria-label={title}>
			<header>
				<h2>{title}</h2>
				<button type="button" class="plain" onClick={close} aria-label="Close">
					✕
				</button>
			</header>
			{children}
		</dialog>
	);
};

const Input = ({field, value, set}: {field: Field; value: unknown; set: (value: unknown) => void}) => {
	const {name, kind, required, choices = []} = field;
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
				{required ? null : <option value="" />}
				{choices.map(choice => (
					<option key={choice} selected={value === choice}>
						{choice}
					</option>
				))}
			</select>
		);
	if (kind === 'integer' || kind === 'number')
		return (
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
		<textarea
			name={name}
			rows={name === 'tree' || name.endsWith('Id') ? 1 : 3}
			required={required}
			value={String(value ?? '')}
			onInput={event => set(event.currentTarget.value || undefined)}
		/>
	);
};

const words = (name: string): string =>
	name.replace(/Id$/, '').replace(/[A-Z]/g, letter => ` ${letter.toLowerCase()}`);

/** A form for the fields of an action, which then performs it. */
export const Form = ({
	fields,
	button,
	initially = {},
	perform,
	done,
}: {
	fields: readonly Field[];
	button: string;
	initially?: Readonly<Record<string, unknown>>;
	perform: (values: Readonly<Record<string, unknown>>) => Promise<Answer<{readonly message: string}>>;
	done: () => void;
}) => {
	const [values, set] = useState<Readonly<Record<string, unknown>>>({
		...Object.fromEntries(fields.flatMap(({name, initially: on}) => (on === undefined ? [] : [[name, on]]))),
		...initially,
	});
	const [problem, refuse] = useState<Problem>();
	const [isBusy, busy] = useState(false);
	const submit = async (event: SubmitEvent): Promise<void> => {
		event.preventDefault();
		busy(true);
		const answer = await perform(values);
		busy(false);
		if (!answer.ok) return refuse(answer.problem);
		showMessage(answer.value.message || 'Done.');
		refresh();
		done();
	};
	return (
		<form onSubmit={event => void submit(event)}>
			{fields.map(field => (
				<label key={field.name} class={field.kind === 'boolean' ? 'tick' : ''}>
					<span>
						<b>{words(field.name)}</b> {field.summary}
					</span>
					<Input
						field={field}
						value={values[field.name]}
						set={value => set({...values, [field.name]: value})}
					/>
				</label>
			))}
			{problem === undefined ? null : (
				<p class="problem" role="alert">
					{safe(problem.detail)} {safe(problem.hint)}
				</p>
			)}
			<button type="submit" class="act" disabled={isBusy}>
				{button}
			</button>
		</form>
	);
};

/** A dialog for the missing fields of an action. It performs the action with the tag of what was shown. */
export const ActionDialog = ({
	action,
	label,
	about,
	names,
	seen,
	initially,
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
	done: () => void;
	close: () => void;
}) => (
	<Dialog title={label} close={close}>
		<p>{about === undefined ? action.summary : safe(about)}</p>
		{action.description === '' ? null : (
			<details>
				<summary>More</summary>
				<p>{action.description}</p>
			</details>
		)}
		<Form
			fields={action.fields
				.filter(({name, kind}) => names[name] === undefined && name !== 'tree' && kind !== 'document')
				.map(field =>
					field.name === 'feedback' && about !== undefined ? {...field, required: true} : field,
				)}
			button={label}
			initially={Object.fromEntries(
				Object.entries(initially ?? {}).filter(([name]) => action.fields.some(field => field.name === name)),
			)}
			perform={values => post(fillPath(action.path, names), values, seen)}
			done={() => {
				done();
				close();
			}}
		/>
	</Dialog>
);
