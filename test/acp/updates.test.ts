import {Readable, Writable} from 'node:stream';
import type {SessionUpdate} from '@agentclientprotocol/sdk/unstable';
import {expect, test} from 'vitest';
import {messagesOf} from '../../source/acp/messages.ts';
import {createUpdates} from '../../source/acp/updates.ts';
import {readAcpRecord} from '../../source/agents/acp/stream.ts';

const read = (...updates: readonly SessionUpdate[]) => {
	const taking = createUpdates();
	return [...updates.flatMap(taking.take), ...taking.finish()].flatMap(
		record => readAcpRecord(JSON.parse(JSON.stringify(record))) ?? [],
	);
};
const text = (words: string, messageId?: string): SessionUpdate => ({
	...{sessionUpdate: 'agent_message_chunk', content: {type: 'text', text: words}},
	...(messageId !== undefined && {messageId}),
});

test('pieces of a message are joined, and another message is apart', () => {
	expect(read(text('One ', 'a'), text('piece.', 'a'), text('Two.', 'b'))).toEqual([
		{type: 'piece', text: 'One '},
		{type: 'piece', text: 'piece.'},
		{type: 'words', text: ''},
		{type: 'piece', text: 'Two.'},
	]);
});

test('a tool call is written once, as soon as its input is known', () => {
	const call = {toolCallId: 'c', title: 'Terminal', kind: 'execute'} as const;
	expect(
		read(
			{...call, sessionUpdate: 'tool_call', status: 'pending', rawInput: {}},
			{sessionUpdate: 'tool_call_update', toolCallId: 'c', rawInput: {command: 'ls'}},
			{
				...{sessionUpdate: 'tool_call_update', toolCallId: 'c', status: 'in_progress'},
				content: [{type: 'content', content: {type: 'text', text: 'a'}}],
			},
			{
				...{sessionUpdate: 'tool_call_update', toolCallId: 'c', status: 'completed'},
				content: [{type: 'content', content: {type: 'text', text: 'a\nb'}}],
			},
		),
	).toEqual([
		{type: 'tool', name: 'execute', input: {command: 'ls'}, call: 'c'},
		{type: 'output', text: 'a', call: 'c'},
		{type: 'result', text: 'a\nb', call: 'c'},
	]);
});

test('an edit has its path and change, also if they come at its end', () => {
	const diff = {type: 'diff', path: '/w/a', oldText: 'x', newText: 'y'} as const;
	const of = {toolCallId: 'e', title: 'Edit', kind: 'edit'} as const;
	expect(read({...of, sessionUpdate: 'tool_call', content: [diff]})).toEqual([
		{type: 'tool', name: 'edit', input: {path: '/w/a', old_string: 'x', new_string: 'y'}, call: 'e'},
	]);
	expect(
		read(
			{...of, sessionUpdate: 'tool_call', status: 'in_progress', rawInput: {file: 'a'}},
			{sessionUpdate: 'tool_call_update', toolCallId: 'e', status: 'completed', content: [diff]},
		).at(-1),
	).toEqual({type: 'result', text: '/w/a\n-x\n+y', call: 'e'});
});

test('a plan and a cost are read, and what is thought is not', () => {
	expect(
		read(
			{sessionUpdate: 'agent_thought_chunk', content: {type: 'text', text: 'Hm'}},
			{sessionUpdate: 'plan', entries: [{content: 'Read', priority: 'high', status: 'in_progress'}]},
			{sessionUpdate: 'usage_update', used: 1, size: 2, cost: {amount: 0.25, currency: 'USD'}},
			{sessionUpdate: 'usage_update', used: 1, size: 2, cost: {amount: 9, currency: 'EUR'}},
		),
	).toEqual([
		{type: 'plan', items: [{content: 'Read', status: 'in_progress'}]},
		{type: 'usage', of: 'run', amount: {costUsd: 0.25}},
	]);
});

test('a denied call fails as denied, once, also if the agent never ends it', () => {
	const deny = (...later: readonly SessionUpdate[]) => {
		const taking = createUpdates();
		taking.ask({toolCallId: 'p', title: 'rm', kind: 'execute'});
		taking.deny('p');
		return [...later.flatMap(taking.take), ...taking.finish()];
	};
	const failed = {sessionUpdate: 'tool_call_update', toolCallId: 'p', status: 'failed'} as const;
	expect(deny(failed)).toEqual([{type: 'failure', call: 'p', text: '', denied: true}]);
	expect(deny()).toEqual([{type: 'failure', call: 'p', text: 'not permitted', denied: true}]);
});

test('what an agent says of a call that has ended is left out', () => {
	const failed = {sessionUpdate: 'tool_call_update', toolCallId: 'c', status: 'failed'} as const;
	const late = {sessionUpdate: 'tool_call_update', toolCallId: 'c', rawOutput: 'blocked'} as const;
	const call = {toolCallId: 'c', title: 'ls', kind: 'execute', rawInput: {command: 'ls'}} as const;
	expect(read({...call, sessionUpdate: 'tool_call'}, failed, late).at(-1)).toMatchObject({type: 'failure'});
});

test('an end has its error, and a foreign record is none', () => {
	expect(readAcpRecord({type: 'end'})).toEqual([{type: 'end'}]);
	expect(readAcpRecord({type: 'end', error: 'gone'})).toMatchObject([{type: 'end', error: 'gone'}]);
	expect(readAcpRecord({type: 'assistant'})).toBeUndefined();
});

test('too many lines that are no messages end the connection', async () => {
	const lines: string[] = [];
	const noise = Readable.from([Buffer.from('{"id":1}\nhello\n'), Buffer.from('x\n'.repeat(2000))]);
	const {readable} = messagesOf(noise, new Writable(), line => lines.push(line));
	const reader = readable.getReader();
	expect((await reader.read()).value).toEqual({id: 1});
	await expect(reader.read()).rejects.toThrow('too many lines');
	expect(lines).toHaveLength(1000);
});
