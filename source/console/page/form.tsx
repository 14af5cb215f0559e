import {useState} from 'preact/hooks';
import type {Field} from '../answers.ts';
import type {Answer, Problem} from './api.ts';
import {useTyped} from './dialog.tsx';
import {useDraft} from './drafts.ts';
import {hintOf, labelOf} from './labels.ts';
import {refresh} from './live.ts';
import {safe} from './safe.tsx';
import {showMessage} from './status-message.tsx';

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
			rows={isShort(name) ? 1 : 3}
			required={required}
			value={String(value ?? '')}
			onInput={event => set(event.currentTarget.value || undefined)}
		/>
	);
};

/** True for fields of one word. */
const isShort = (name: string): boolean => name === 'tree' || name === 'base' || name.endsWith('Id');

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
