import {inputFields} from '../../host/actions/input-fields.ts';
import {type ActionId, actionTable} from '../../host/actions/table.ts';
import {line} from '../parts/line.ts';
import type {Form} from '../store/form.ts';
import {fullTitle, traceTitle} from '../store/names.ts';
import type {Subject} from '../store/selectors.ts';
import {cancelButton, form, type Opening, target} from './target.ts';
import {emptyInput} from './text-input.ts';

/** The dialog of an action without its own: a summary, and a field for each text in its input. */
export const actionForm = ({now, traces}: Opening, id: ActionId, {trace, task}: Subject): Form => {
	const action = actionTable[id];
	const subject = {...(trace && {traceId: trace.traceId}), ...(trace && task && target(trace, task))};
	const fields = inputFields(action).filter(({name, kind}) => kind === 'text' && !(name in subject));
	const name = trace && (task ? fullTitle(traces, trace, task) : traceTitle(traces, trace));
	return form(now, {
		title: name === undefined ? action.label : `${action.label} · ${name}`,
		lines: [line(action.summary), ...('danger' in action ? [line('It cannot be undone.', 'dim')] : [])],
		fields: fields.map(({name, summary, required}) => ({
			name,
			label: `${summary.replace(/\.$/, '')}:`,
			input: emptyInput,
			...(required ? {required: summary} : {}),
		})),
		buttons: [cancelButton, {label: `Enter ${action.label}`, value: 'do'}],
		request: {action: id, input: subject},
	});
};
