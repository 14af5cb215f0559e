import type {Answer} from './conversation.ts';
import type {Protocol} from './protocol.ts';

type Part = {readonly text?: string};
type Item = {readonly type?: string; readonly role?: string; readonly content?: string | readonly Part[]};

const usage = {
	...{input_tokens: 10, output_tokens: 10, total_tokens: 20},
	...{input_tokens_details: {cached_tokens: 0}, output_tokens_details: {reasoning_tokens: 0}},
};

const response = (status: string, output: readonly object[]) => ({
	...{id: 'resp_1', object: 'response', created_at: 0, model: 'stand-in', status, output, usage},
});

const words = (text: string) => ({
	...{type: 'message', id: 'msg_1', role: 'assistant', status: 'completed'},
	content: [{type: 'output_text', text, annotations: []}],
});

const outputOf = ({parts, call}: Answer): object[] => [
	words(parts.join('')),
	...(call === undefined
		? []
		: [
				{
					...{type: 'function_call', id: 'fc_1', call_id: 'call_1', status: 'completed'},
					...{name: call.name, arguments: JSON.stringify(call.input)},
				},
			]),
];

/** OpenAI's Responses. */
export const openaiResponses: Protocol = {
	path: '/v1/responses',
	read: body => {
		const last = (body.input as readonly Item[]).at(-1);
		const content = last?.content ?? '';
		return {
			last: typeof content === 'string' ? content : content.map(({text}) => text ?? '').join('\n'),
			isResult: last?.type?.endsWith('_output') ?? false,
			tools: ((body.tools ?? []) as readonly {name?: string}[]).flatMap(({name}) => name ?? []),
		};
	},
	events: answer => ({
		opening: [
			{type: 'response.created', response: response('in_progress', [])},
			{type: 'response.output_item.added', output_index: 0, item: {...words(''), content: []}},
		],
		piece: delta => ({
			...{type: 'response.output_text.delta', item_id: 'msg_1', output_index: 0, content_index: 0, delta},
		}),
		closing: [
			...outputOf(answer).map((item, output_index) => ({
				...{type: 'response.output_item.done', output_index, item},
			})),
			{type: 'response.completed', response: response('completed', outputOf(answer))},
		],
	}),
	whole: answer => response('completed', outputOf(answer)),
};
