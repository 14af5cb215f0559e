import {createBusyColony} from './busy-colony.ts';
import {median} from './median.ts';
import type {Row} from './row.ts';
import {rateOfTraces} from './task-rates.ts';

const rounds = 5;
const traces = 100;
const warm = 10;

/**
 * Row 48 of docs/performance.md: the same tasks alternately on a server's log and on the embedded one. It has
 * no target.
 */
export const benchTaskBus = async (): Promise<Row[]> => {
	const colonies = [
		await createBusyColony({parallel: 4, bus: 'nats'}),
		await createBusyColony({parallel: 4, bus: 'embedded'}),
	] as const;
	try {
		for (const colony of colonies) {
			await colony.startReactor();
			await rateOfTraces(colony, 'warm', warm, 0);
		}
		const rates: {served: number; embedded: number}[] = [];
		for (let round = 0; round < rounds; round++) {
			const [served, embedded] = [
				await rateOfTraces(colonies[0], `round-${round}`, traces, warm + round * traces),
				await rateOfTraces(colonies[1], `round-${round}`, traces, warm + round * traces),
			];
			rates.push({served, embedded});
		}
		return [
			{
				...{row: 48, name: 'tasks a second, log on a server / embedded', target: '', met: true},
				ratio: median(rates.map(({served, embedded}) => served / embedded)),
				detail: `${median(rates.map(({served}) => served)).toFixed(1)} against ${median(rates.map(({embedded}) => embedded)).toFixed(1)}, 4 at a time, ${rounds} rounds of ${traces}`,
			},
		];
	} finally {
		for (const colony of colonies) await colony.dispose();
	}
};
