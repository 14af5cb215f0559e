import type {Protocol, Told} from './protocol.ts';

type Part = {readonly text?: string};
type Item = {readonly type?: string; readonly role?: string; readonly content?: string | readonly Part[]};

const usage = {
	...{input_tokens: 1312, output_tokens: 40, total_tokens: 1352},
	...{input_tokens_details: {cached_tokens: 1000}, output_tokens_details: {reasoning_tokens: 8}},
};

const response = (id: string, status: string, output: readonly object[]) => ({
	...{id: `resp_${id}`, object: 'response', created_at: 0, model: 'stand-in', status, output, usage},
});

const words = (id: string, text: string) => ({
	...{type: 'message', id: `msg_${id}`, role: 'assistant', status: 'completed'},
	content: [{type: 'output_text', text, annotations: []}],
});

/** Between a namespace and the tool in it. */
const separator = '/';

const nameOf = (full: string) => {
	const at = full.indexOf(separator);
	return at < 0 ? {name: full} : {namespace: full.slice(0, at), name: full.slice(at + 1)};
};

type Declared = {readonly type?: string; readonly name?: string; readonly tools?: readonly Declared[]};

const namesOf = ({type, name, tools = []}: Declared): readonly string[] =>
	type === 'namespace'
		? tools.flatMap(one => namesOf(one).map(inner => `${name}${separator}${inner}`))
		: [name ?? []].flat();

const outputOf = ({id, parts, calls}: Told): object[] => [
	words(id, parts.join('')),
	...calls.map(call => ({
		...{type: 'function_call', id: `fc_${call.id}`, call_id: `call_${call.id}`, status: 'completed'},
		...{...nameOf(call.name), arguments: JSON.stringify(call.input)},
	})),
];

/** OpenAI's Responses. */
export const openaiResponses: Protocol = {
	path: /^\/v1\/responses$/,
	wantsStream: body => body.stream ?? false,
	read: body => {
		const last = (body.input as readonly Item[]).at(-1);
		const content = last?.content ?? '';
		return {
			last: typeof content === 'string' ? content : content.map(({text}) => text ?? '').join('\n'),
			isResult: last?.type?.endsWith('_output') ?? false,
			tools: ((body.tools ?? []) as readonly Declared[]).flatMap(namesOf),
		};
	},
	events: told => ({
		opening: [
			{type: 'response.created', response: response(told.id, 'in_progress', [])},
			{type: 'response.output_item.added', output_index: 0, item: {...words(told.id, ''), content: []}},
		],
		piece: delta => ({
			...{
				type: 'response.output_text.delta',
				item_id: `msg_${told.id}`,
				output_index: 0,
				content_index: 0,
				delta,
			},
		}),
		closing: [
			...outputOf(told).map((item, output_index) => ({
				...{type: 'response.output_item.done', output_index, item},
			})),
			{type: 'response.completed', response: response(told.id, 'completed', outputOf(told))},
		],
	}),
	whole: told => response(told.id, 'completed', outputOf(told)),
};
