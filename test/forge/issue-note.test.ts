import {describe, expect, test} from 'vitest';
import {emptyTrace, type Trace} from '../../source/domain/trace.ts';
import {claimIn, currentNote, noteText} from '../../source/forge/issue-note.ts';
import {requestText} from '../../source/forge/request-text.ts';

const claim = {colony: 'hive-1', traceId: 'trace-1', place: 'here-1'};
const issue = {
	number: 12,
	url: 'https://forge.example/12',
	provider: 'github',
	repository: 'ada/hive',
} as const;
const trace: Trace = {...emptyTrace('trace-1'), issue};

describe('the comment on an issue', () => {
	test('has a claim that is read back', () => {
		expect(claimIn(currentNote(claim, trace))).toEqual(claim);
		expect(claimIn(noteText(claim, {}, 'merged').replace('\n', '\r\n'))).toEqual(claim);
	});

	test.each([
		'',
		'hive works on this issue.',
		'> <!-- hive:issue a trace-1 b -->',
		'<!-- hive:issue a ../etc b -->',
		'<!-- hive:issue a trace-1 b --> more',
		`<!-- hive:issue ${'a'.repeat(65)} trace-1 b -->`,
	])('is no claim: %j', text => {
		expect(claimIn(text)).toBeUndefined();
	});

	test('names no address that is more than one', () => {
		const text = noteText(claim, {pullRequest: {url: 'https://a.there/) [x](y'} as never}, 'request');
		expect(text).toBe(
			'<!-- hive:issue hive-1 trace-1 here-1 -->\nThe work of hive on this issue is in a pull request.',
		);
	});
});

describe('the request of a trace that began from an issue', () => {
	test('closes it in its own repository alone', () => {
		const place = {provider: 'github', repository: 'Ada/hive'} as const;
		expect(requestText(trace, {}, place).body).toMatch(/^Fixes #12$/m);
		expect(requestText(trace, {}, {...place, repository: 'eve/hive'}).body).not.toContain('#12');
		expect(requestText(trace, {}, {...place, provider: 'gitlab'}).body).not.toContain('#12');
		expect(requestText(trace, {}).body).not.toContain('#12');
	});
});
