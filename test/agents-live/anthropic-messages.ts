import type {Protocol, Told} from './protocol.ts';

type Block = {readonly type: string; readonly text?: string};
type Message = {readonly role: string; readonly content: string | readonly Block[]};

const usage = {
	...{input_tokens: 12, cache_creation_input_tokens: 300, cache_read_input_tokens: 1000, output_tokens: 40},
};

const message = (id: string, content: readonly object[], stop_reason: string | null) => ({
	...{id: `msg_${id}`, type: 'message', role: 'assistant', model: 'stand-in', stop_sequence: null},
	...{content, stop_reason, usage},
});

const stopOf = ({calls}: Told): string => (calls.length > 0 ? 'tool_use' : 'end_turn');

/** Anthropic's Messages. */
export const anthropicMessages: Protocol = {
	path: /^\/v1\/messages$/,
	wantsStream: body => body.stream ?? false,
	read: body => {
		const last = (body.messages as readonly Message[]).findLast(({role}) => role === 'user');
		const blocks = typeof last?.content === 'string' ? [{type: 'text', text: last.content}] : last?.content;
		return {
			last: blocks?.map(({text}) => text ?? '').join('\n') ?? '',
			isResult: blocks?.some(({type}) => type === 'tool_result') ?? false,
			tools: ((body.tools ?? []) as readonly {name: string}[]).map(({name}) => name),
		};
	},
	events: told => ({
		opening: [
			{type: 'message_start', message: message(told.id, [], null)},
			{type: 'content_block_start', index: 0, content_block: {type: 'text', text: ''}},
		],
		piece: text => ({type: 'content_block_delta', index: 0, delta: {type: 'text_delta', text}}),
		closing: [
			{type: 'content_block_stop', index: 0},
			...told.calls.flatMap((call, at) => callEvents(call, at + 1)),
			{type: 'message_delta', delta: {stop_reason: stopOf(told), stop_sequence: null}, usage},
			{type: 'message_stop'},
		],
	}),
	whole: ({id, parts}) => message(id, [{type: 'text', text: parts.join('')}], 'end_turn'),
};

const callEvents = ({id, name, input}: Told['calls'][number], index: number) => [
	{
		...{type: 'content_block_start', index},
		content_block: {type: 'tool_use', id: `toolu_${id}`, name, input: {}},
	},
	{
		...{type: 'content_block_delta', index},
		delta: {type: 'input_json_delta', partial_json: JSON.stringify(input)},
	},
	{type: 'content_block_stop', index},
];
