import type {ComponentChildren} from 'preact';
import type {Action, Field} from '../answers.ts';
import {fillPath, type PathNames, post} from './api.ts';
import {Dialog} from './dialog.tsx';
import {Form} from './form.tsx';
import {effects} from './labels.ts';
import {safe} from './safe.tsx';

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
