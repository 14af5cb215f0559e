import type {ActionContext} from '../../actions/context.ts';
import {requiredCheck} from '../../dispatch/landing-check.ts';
import {formatCommand} from '../../dispatch/verification.ts';
import type {Trace} from '../../domain/trace.ts';

/** The commands that the trace's merge has to pass before it lands, as text; empty if none is required. */
export const formatRequiredChecks = ({colony}: Pick<ActionContext, 'colony'>, trace: Trace): string =>
	(requiredCheck(colony, trace)?.commands ?? []).map(formatCommand).join(', ');
