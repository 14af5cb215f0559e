import {formatCount} from '../../domain/format-count.ts';
import {formatMachine} from '../../domain/machine-status.ts';
import type {Trace} from '../../domain/trace.ts';
import {localMoment} from '../../host/views/local-time.ts';
import type {MachineView} from '../../host/views/machines.ts';
import {memoized} from './memo.ts';

/** The host of the machine that holds a trace. Empty if it is this machine, or none. */
export const machineOf = (machines: readonly MachineView[], {place: machine}: Pick<Trace, 'place'>): string =>
	machines.find(({checkout}) => checkout === machine)?.host ?? '';

/** Rows of the Colony tab: the other machines, if any, and the configuration. */
export const colonyRows = memoized(
	(colony: readonly string[], machines: readonly MachineView[]): readonly string[] => [
		...machineLines(machines),
		...colony,
	],
);

const machineLines = (machines: readonly MachineView[]): readonly string[] =>
	machines.length === 0
		? []
		: [
				formatCount(machines.length, 'other place'),
				...machines.map(machine => `  ${formatMachine(machine)} ${formatMachineState(machine)}`),
				'',
			];

const formatMachineState = ({isAlive, free, total, hasLeft, heardAt}: MachineView): string =>
	isAlive
		? `● ${free} of ${total} slots free`
		: `○ ${hasLeft ? 'ended at' : 'silent since'} ${heardAt === undefined ? '-' : localMoment(heardAt)}`;
