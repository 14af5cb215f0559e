import {expect, it} from 'vitest';
import {createQuote, formatCard} from '../../../source/chat/format-card.ts';
import {plainText} from '../../../source/chat/message.ts';
import {offersOf} from '../../../source/chat/offers.ts';
import {emptyTrace} from '../../../source/domain/trace.ts';
import {inboxOf} from '../../../source/host/views/inbox.ts';
import {type SessionView, tellingRow} from '../../../source/host/views/session.ts';

const waitingSince = '2026-03-01T14:00:00.000Z';
const session: SessionView = {
	...{sessionId: 'a', traceId: 't', bee: 'builder', title: 'Paint the hive', attached: 0},
	...{state: 'waiting', waitingSince, startedAt: '2026-03-01T13:00:00.000Z'},
	lastRows: ['Do you want to paint it?', '❯ 1. Yes', '2. No', 'Esc to cancel'],
};

const inbox = (...sessions: readonly SessionView[]) => inboxOf([emptyTrace('t')], {sessions});

it('a session that waits is one entry, by the moment since when it does', () => {
	const [entry, ...others] = inbox(session);
	expect(others).toEqual([]);
	expect(entry).toMatchObject({
		...{kind: 'session', category: 'session', traceId: 't', agentId: 'a', title: 'Paint the hive'},
		...{since: waitingSince, lastRows: session.lastRows},
		sentence: 'The session with builder waits for you: Do you want to paint it?',
	});
	const [later] = inbox({...session, waitingSince: '2026-03-01T15:00:00.000Z'});
	expect(later?.key).not.toBe(entry?.key);
	const [again] = inbox({...session, lastRows: []});
	expect(again).toMatchObject({key: entry?.key, sentence: 'The session with builder waits for you.'});
});

it('a session that works, rests or is over, or is of another trace, is no entry', () => {
	const {waitingSince: _, ...rest} = session;
	expect(inbox({...rest, state: 'working'}, {...rest, state: 'idle'}, {...rest, state: 'failed'})).toEqual(
		[],
	);
	expect(inbox({...session, traceId: 'other'})).toEqual([]);
});

it('the row that tells most is the last question, else the last row with words', () => {
	expect(tellingRow({lastRows: ['Blue?', 'Or green?', '> ']})).toBe('Or green?');
	expect(tellingRow({lastRows: ['All done', '--', '> ']})).toBe('All done');
	expect(tellingRow({lastRows: ['>', '1.']})).toBe('');
});

it('a chat shows the last rows, and types a reply into the session', () => {
	const [entry] = inbox(session);
	if (entry === undefined) throw new Error('There is no entry.');
	const quote = createQuote(text => text.replaceAll('paint', '***'));
	const card = plainText(formatCard(entry, emptyTrace('t'), {quote}));
	expect(card).toContain('? Session Paint the hive');
	expect(card).toContain('\n  Do you want to *** it?\n  ❯ 1. Yes');
	expect(offersOf(entry, emptyTrace('t'), {tree: undefined, quote})).toEqual([
		expect.objectContaining({
			...{label: 'Reply', does: 'session.send', words: 'text'},
			input: {traceId: 't', sessionId: 'a', submit: true},
		}),
	]);
});
