import {expect, test} from 'vitest';
import {busVerify} from '../../source/cli/commands/bus-verify.ts';
import {renderText} from '../../source/cli/text.ts';
import {accepted} from '../../source/domain/errors.ts';
import type {BusVerified} from '../../source/host/host.ts';
import {sessionWith} from './session-with.ts';

const sound: BusVerified = {
	...{address: 'embedded', events: 9, sums: 9, traces: 1, checkpoints: 0, files: 0, texts: 0},
	...{landings: [], findings: [], rebuilt: undefined},
};

type Landing = BusVerified['landings'][number];

const landing = (state: Landing['state'], more: Partial<Landing> = {}): Landing => ({
	...{traceId: state, taskId: '_review', commit: 'c'.repeat(40), tree: 'd'.repeat(40), by: 'cli', state},
	...more,
});

/** Returns what `hive bus verify` prints for this result, with its exit code and JSON. */
const shown = async (verified: BusVerified) => {
	const prepared = busVerify.prepare({flags: {}, words: [], problems: []});
	if (!prepared.ok) throw new Error(prepared.refusal.message);
	const session = sessionWith({verifyBus: async () => accepted(verified)});
	const result = await prepared.value.run(session);
	if (!result.ok || !('json' in result.value)) throw new Error('It was refused.');
	const {json, text, exit} = result.value;
	return {json, exit, text: renderText(typeof text === 'function' ? await text() : text, false)};
};

test('"bus verify" counts merges by what is known of their trees', async () => {
	const landings = [
		landing('same', {checkedBy: 'run-1'}),
		landing('same'),
		landing('without_checks', {reason: 'The checks are down.'}),
		landing('without_checks', {reason: ''}),
		landing('not_here', {checkedBy: 'run-2'}),
		landing('by_forge'),
	];
	const {json, text, exit} = await shown({...sound, landings});
	expect(exit).toBe(0);
	expect(json).toMatchObject({ok: true, landings});
	const words = text.replaceAll(/\s+/g, ' ');
	expect(words).toContain('cli landed without_checks without checks: "The checks are down." landing');
	expect(words).toContain('cli landed without_checks without checks. landing');
	expect(words).toContain('The merge of not_here is not in this clone.');
	expect(words).toContain(
		'6 merges: 1 with the tree that was checked, 1 with the approved tree and no required check, 2 without the required checks, 1 by the forge, onto a base that had moved, 1 not in this clone.',
	);
});

test('"bus verify" exits with 5 if a merge has another tree than was checked', async () => {
	const finding = {about: 'landing', where: 'c'.repeat(12), message: 'Another tree.', fix: 'Look.'} as const;
	const landings = [landing('different', {checkedBy: 'run-1'})];
	const {json, text, exit} = await shown({...sound, landings, findings: [finding]});
	expect(exit).toBe(5);
	expect(json).toMatchObject({ok: false});
	expect(text).toMatch(/^landing +c{12}: Another tree\./);
	expect(text).toContain('1 merge: 1 with another tree.');
});

test('"bus verify" does not speak of merges where the log has none', async () => {
	expect((await shown(sound)).text).not.toContain('merge');
});
