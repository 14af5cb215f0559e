import type {ActionContext} from '../../actions/context.ts';
import {requiredCheck, usableEvidence} from '../../dispatch/landing-check.ts';
import type {Trace} from '../../domain/trace.ts';
import {type MergeCheck, notChecked, notRequired} from '../views/landing.ts';
import {readCheckOutput} from './check-output.ts';

/**
 * Returns what is known of the check that a merge of the trace has to pass before it lands.
 *
 * @param tree the result of the merge; empty if it conflicts
 */
export const readMergeCheck = async (
	context: ActionContext,
	trace: Trace,
	tree: string,
): Promise<MergeCheck> => {
	const verify = requiredCheck(context.colony, trace);
	if (verify === undefined) return notRequired;
	const found = tree === '' ? undefined : await usableEvidence(context, verify, tree);
	if (found === undefined) return notChecked;
	const {passed, summary, at, agentId, traceId} = found;
	const output = passed ? '' : await readCheckOutput(context.bus, {traceId, agentId});
	return {state: passed ? 'passed' : 'failed', summary, at, agentId, output};
};
