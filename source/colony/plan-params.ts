import type {Detail} from '../domain/errors.ts';
import {hintNearest} from '../domain/nearest.ts';
import type {Colony} from './colony.ts';

/** Params of bees that a colony may let plans and requests set (`defaults.plan_params`). */
export const settableParams: readonly string[] = ['model', 'provider', 'thinking'];

/** Params of an agent tool that widen what it may do, by today's names and by those of its flags. */
const wideners =
	/^(args|binary|command|env|force|mode|plan|read_only|trust|yolo)$|approv|danger|permission|sandbox/;

/** Why no colony may let a plan set the param. Undefined if it may. */
export const refuseSettable = (
	name: string,
): {readonly message: string; readonly hint?: string} | undefined => {
	if (settableParams.includes(name)) return undefined;
	const hint = `Set it in the file of a bee. Plans may set ${settableParams.join(', ')}.`;
	if (wideners.test(name))
		return {message: `no plan may set "${name}", which decides what a tool runs or may do`, hint};
	if (hivesOwn.includes(name)) return {message: `no plan may set "${name}", which hive relies on`, hint};
	return {message: `no adapter has a param "${name}"`, hint: hintNearest(name, settableParams)};
};

const hivesOwn: readonly string[] = ['output_format', 'resume'];

/** The params that a plan or a request sets though the colony does not allow them. */
export const paramProblems = (
	{defaults: {planParams = []}}: Pick<Colony, 'defaults'>,
	raw: unknown,
): Detail[] => {
	const given = typeof raw === 'object' && raw !== null && !Array.isArray(raw) ? Object.keys(raw) : [];
	return given
		.filter(name => !planParams.includes(name))
		.map(name => ({
			path: `params.${name}`,
			message: `this colony lets no plan or request set "${name}"`,
			hint:
				planParams.length === 0
					? 'It allows none. Name them in defaults.plan_params of .hive/colony.yaml.'
					: `Allowed: ${planParams.join(', ')}.`,
		}));
};
