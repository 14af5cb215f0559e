import {expect, it} from 'vitest';
import {readTranscript, readTranscriptEntry} from '../../source/sessions/read-transcript.ts';

it('a transcript reader returns the entries of any part of a transcript, and skips torn or unknown entries', () => {
	const said = [
		{at: '2026-01-01T00:00:00Z', role: 'user', content: 'Which "bee"?\n{"role":"agent","content":"no"}'},
		{at: '2026-01-01T00:00:01Z', role: 'agent', content: 'The\nbuilder.'},
		{at: '2026-01-01T00:00:02Z', role: 'system', content: 'The program ended.'},
	];
	const others = ['', '7', 'null', '[]', '{"role":"agent"}', '{"role":"toString","content":"x"}'];
	const text = [...said.map(entry => JSON.stringify(entry)), ...others].join('\n');
	expect(readTranscript(text)).toEqual(said);
	const [first = ''] = text.split('\n');
	for (let at = 1; at <= first.length; at++) expect(readTranscript(text.slice(at))).toEqual(said.slice(1));
	expect(readTranscript(text).slice(1).flatMap(readTranscriptEntry)).toEqual([
		...['The', 'builder.'],
		'-- The program ended.',
	]);
});
