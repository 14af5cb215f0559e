import {expect, test} from 'vitest';
import {exitCodes} from '../../source/domain/error-table.ts';
import {questionTaken} from '../../source/domain/run-questions.ts';
import {ask} from '../../source/mcp/ask.ts';
import type {Emitted, ReceivedAnswer, RunChannel} from '../../source/mcp/run-channel.ts';

const refused = (exit: number, message: string): Emitted => ({exit, json: {details: [{path: '', message}]}});
const unreachable = refused(exitCodes.unreachable, 'the bus cannot be reached');
const published: Emitted = {exit: 0, json: {ok: true}};

/** A channel whose tries to emit end one after the other like this, then like the last one. */
const channelOf = (tries: readonly Emitted[], answer?: ReceivedAnswer) => {
	const emitted: string[] = [];
	const left: unknown[] = [];
	const channel: RunChannel = {
		...{traceId: 't', agentId: 'a', taskId: '', root: '/', eventId: () => '1'},
		emit: async (_, id) => {
			emitted.push(id);
			return tries[emitted.length - 1] ?? tries.at(-1) ?? published;
		},
		leave: event => left.push(event),
		answer: async () => answer,
		isAllowed: async () => false,
		read: async () => undefined,
		list: async () => [],
		pause: async () => {},
	};
	return {channel, emitted, left};
};

const asking = {text: 'Which format?', source: 'text'} as const;
const endOf = (delivered: boolean) => ({
	type: 'SIGNAL',
	payload: {kind: 'ask.ended', questionId: 'q-1', delivered},
});
const noSignal = new AbortController().signal;
const afterTimers = () => new Promise(resolve => setTimeout(resolve, 0));

test('a delivered answer is noted where no bus is needed, and only after the response', async () => {
	const {channel, emitted, left} = channelOf([published, unreachable], {text: 'JSON'});
	expect(await ask(channel, asking, noSignal)).toEqual({state: 'answered', answer: {text: 'JSON'}});
	expect(left).toEqual([]);
	await afterTimers();
	expect(left).toEqual([endOf(true)]);
	expect(emitted).toEqual(['1']);
});

test('a tool that gives up has that noted the same way', async () => {
	const {channel, left} = channelOf([published, unreachable]);
	expect(await ask(channel, asking, noSignal)).toEqual({state: 'left'});
	expect(left).toEqual([endOf(false)]);
});

test('a question is tried under one id until the log has it', async () => {
	const {channel, emitted} = channelOf([unreachable, unreachable, refused(4, questionTaken)], {});
	expect(await ask(channel, asking, noSignal)).toMatchObject({state: 'answered'});
	expect(emitted).toEqual(['1', '1', '1']);
});

test('a refused question ends the call with the reason, and waits for no answer', async () => {
	const {channel, left} = channelOf([refused(4, 'a run asks at most 20 questions')], {text: 'late'});
	expect(await ask(channel, asking, noSignal)).toEqual({
		state: 'refused',
		reason: 'a run asks at most 20 questions',
	});
	await afterTimers();
	expect(left).toEqual([]);
});
