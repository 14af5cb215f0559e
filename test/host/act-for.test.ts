import {expect, it} from 'vitest';
import type {ActionContext} from '../../source/actions/context.ts';
import {actFor} from '../../source/host/review/act-for.ts';

const at = Date.UTC(2026, 4, 1);

const idsOf = (decision: Parameters<typeof actFor>[2]) => {
	const {ids} = actFor({} as ActionContext, 'chat', decision);
	return {trace: ids.trace(), task: ids.task(), invite: ids.invite(), agent: ids.agent(), event: ids.event()};
};

it('the ids of an action are the same for one decision, and differ between decisions', () => {
	const ids = idsOf({seed: 'card/1', at});
	expect(idsOf({seed: 'card/1', at})).toEqual(ids);
	const others = Object.values(idsOf({seed: 'card/2', at}));
	for (const id of Object.values(ids)) expect(others).not.toContain(id);
});

it('the trace id of an action contains the milliseconds of the decision, so trace ids rise', () => {
	const milliseconds = at.toString(16).padStart(12, '0');
	const {trace} = idsOf({seed: 'card/1', at});
	expect(trace).toMatch(new RegExp(`^trace-${milliseconds}[0-9a-f]{4}$`));
	for (let later = 1; later <= 20; later++)
		expect(idsOf({seed: `card/${later}`, at: at + later}).trace > trace).toBe(true);
});
