import {expect, test} from 'vitest';
import {endSummary} from '../../source/dispatch/result-files.ts';

const remains = (summary: string, stderr: string) => ({
	...{output: {summary}, stderr, dialogue: '', warnings: []},
});
const failed = {status: 'failed', error: 'no plan came'} as const;

test('a run that failed is explained by standard error, and by its own words if its program ended well', () => {
	const left = remains('I have no idea.', '[session] phase=ready\n');
	expect(endSummary({...failed, exitCode: 0}, left)).toBe('no plan came: I have no idea.');
	expect(endSummary({...failed, exitCode: 1}, left)).toBe('no plan came: [session] phase=ready');
	expect(endSummary({...failed, exitCode: 0}, remains('', 'panic\n'))).toBe('no plan came: panic');
});
