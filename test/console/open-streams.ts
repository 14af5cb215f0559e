import type {ConsoleServices} from '../../source/console/console-services.ts';
import {createMemoryBus} from '../../source/drivers/memory-bus.ts';

/** Opens a colony whose views follow its log at once, with a clock that the test moves. */
export const openStreams = () => {
	const due = new Set<() => void>();
	const clock = {
		now: () => 5000,
		elapsed: () => 5000,
		after: (_: number, call: () => void) => {
			due.add(call);
			return () => void due.delete(call);
		},
	};
	const bus = createMemoryBus({clock});
	const listeners = new Set<() => void>();
	let position = 0;
	let said = 0;
	const world = {
		context: {bus, clock},
		colony: {header: {slug: 'test'}},
		model: {
			position: () => position,
			status: () => ({reactor: 'none', bus: {state: 'live'}, places: []}),
			doings: () => new Map(),
			problems: () => [],
			bases: () => new Map(),
			onChange: (signal: AbortSignal, call: () => void) => {
				listeners.add(call);
				signal.addEventListener('abort', () => listeners.delete(call));
			},
		},
	} as unknown as ConsoleServices;
	return {
		world,
		listeners,
		passTime: () => {
			for (const call of [...due]) call();
		},
		say: async (text = 'x') => {
			said += 1;
			const event = {
				traceId: 'trace-1',
				type: 'INSIGHT',
				payload: {kind: 'context.note', summary: text},
			} as const;
			const appended = await bus.append(event, {id: `e${said}`});
			position = appended.ok ? appended.sequence : position;
			for (const call of [...listeners]) call();
		},
		position: () => position,
	};
};
