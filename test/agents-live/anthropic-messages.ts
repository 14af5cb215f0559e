import type {Answer} from './conversation.ts';
import type {Protocol} from './protocol.ts';

type Block = {readonly type: string; readonly text?: string};
type Message = {readonly role: string; readonly content: string | readonly Block[]};

const usage = {input_tokens: 10, output_tokens: 10};

const message = (content: readonly object[], stop_reason: string | null) => ({
	...{id: 'msg_1', type: 'message', role: 'assistant', model: 'stand-in', stop_sequence: null},
	...{content, stop_reason, usage},
});

const stopOf = ({call}: Answer): string => (call ? 'tool_use' : 'end_turn');

/** Anthropic's Messages. */
export const anthropicMessages: Protocol = {
	path: '/v1/messages',
	read: body => {
		const last = (body.messages as readonly Message[]).findLast(({role}) => role === 'user');
		const blocks = typeof last?.content === 'string' ? [{type: 'text', text: last.content}] : last?.content;
		return {
			last: blocks?.map(({text}) => text ?? '').join('\n') ?? '',
			isResult: blocks?.some(({type}) => type === 'tool_result') ?? false,
			tools: ((body.tools ?? []) as readonly {name: string}[]).map(({name}) => name),
		};
	},
	events: answer => ({
		opening: [
			{type: 'message_start', message: message([], null)},
			{type: 'content_block_start', index: 0, content_block: {type: 'text', text: ''}},
		],
		piece: text => ({type: 'content_block_delta', index: 0, delta: {type: 'text_delta', text}}),
		closing: [
			{type: 'content_block_stop', index: 0},
			...callEvents(answer.call),
			{type: 'message_delta', delta: {stop_reason: stopOf(answer), stop_sequence: null}, usage},
			{type: 'message_stop'},
		],
	}),
	whole: answer => message([{type: 'text', text: answer.parts.join('')}], 'end_turn'),
};

const callEvents = (call: Answer['call']) =>
	call === undefined
		? []
		: [
				{
					...{type: 'content_block_start', index: 1},
					content_block: {type: 'tool_use', id: 'toolu_1', name: call.name, input: {}},
				},
				{
					...{type: 'content_block_delta', index: 1},
					delta: {type: 'input_json_delta', partial_json: JSON.stringify(call.input)},
				},
				{type: 'content_block_stop', index: 1},
			];
