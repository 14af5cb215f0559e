import {expect, it} from 'vitest';
import {
	noMemory,
	type ReviewMemory,
	readReviewMemory,
	writeReviewMemory,
} from '../../source/host/review/review-memory.ts';

const folder = () => {
	const kept = new Map<string, string>();
	return {
		read: async (path: string) => kept.get(path),
		write: async (path: string, text: string) => void kept.set(path, text),
	};
};

const comment = (text: string) => ({
	...{traceId: 't', path: 'a.ts', side: 'new' as const, line: 1, endLine: 1, blob: '1111111', text},
});
const [earlier, later] = ['a'.repeat(40), 'b'.repeat(40)] as [string, string];

it('two dashboards of one machine merge their review drafts and marks, including removals', async () => {
	const files = folder();
	const start: ReviewMemory = {
		drafts: [comment('One?'), comment('Two?')],
		reviewed: ['1111111 a.ts'],
		looked: [{task: 't/a', tree: earlier}],
	};
	await writeReviewMemory(files, 'machine', start, noMemory);
	const first: ReviewMemory = {
		...start,
		drafts: [...start.drafts, comment('Three?')],
		looked: [{task: 't/a', tree: later, before: earlier}],
	};
	await writeReviewMemory(files, 'machine', first, start);
	const second: ReviewMemory = {
		...start,
		drafts: [comment('Two?')],
		reviewed: ['1111111 a.ts', '2222222 b.ts'],
	};
	await writeReviewMemory(files, 'machine', second, start);
	expect(await readReviewMemory(files, 'machine')).toEqual({
		drafts: [comment('Two?'), comment('Three?')],
		reviewed: ['1111111 a.ts', '2222222 b.ts'],
		looked: [{task: 't/a', tree: later, before: earlier}],
	});
});

it('the same review mark from two dashboards is stored once', async () => {
	const files = folder();
	const memory: ReviewMemory = {...noMemory, reviewed: ['1111111 a.ts']};
	await writeReviewMemory(files, 'machine', memory, noMemory);
	await writeReviewMemory(files, 'machine', memory, noMemory);
	expect((await readReviewMemory(files, 'machine')).reviewed).toEqual(['1111111 a.ts']);
});
