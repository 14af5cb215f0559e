import {topUps} from '../../domain/reserve.ts';
import type {Action} from '../answers.ts';
import {ActionDialog} from './action-dialog.tsx';
import {pathTo} from './api.ts';
import {useOnce} from './live.ts';
import {Honey, safe} from './safe.tsx';

/** Adds honey to a trace, with what it has left. A limit of money or tokens is raised only if it has one. */
export const HoneyDialog = ({
	action,
	traceId,
	done,
	close,
}: {
	action: Action;
	traceId: string;
	done: () => void;
	close: () => void;
}) => {
	const {value: trace} = useOnce(pathTo('/api/traces/:traceId', {traceId}), traceId);
	const unlimited = [
		...(trace?.maxCost === undefined ? ['cost'] : []),
		...(trace?.maxTokens === undefined ? ['tokens'] : []),
	];
	return (
		<ActionDialog
			action={action}
			label="Add honey"
			names={{traceId}}
			without={unlimited}
			initially={{amount: topUps.honey[1]}}
			amounts={topUps.honey}
			done={done}
			close={close}
		>
			{trace === undefined ? null : (
				<p>
					<b>{safe(trace.name)}</b> has{' '}
					<Honey left={trace.energyRemaining} budget={trace.energyBudget} low={trace.lowEnergy} /> left. Tasks
					that waited for honey go on.
				</p>
			)}
		</ActionDialog>
	);
};
