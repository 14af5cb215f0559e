import type {Bee, Colony} from '../colony/colony.ts';
import type {Params} from '../domain/params.ts';

/** Params that requests and a task set for a run. */
type GivenParams = {
	/** Of the request that began the trace, for all its runs. */
	readonly trace?: Params | undefined;
	/** Of the request for this run alone. */
	readonly request?: Params | undefined;
	readonly task?: Params | undefined;
};

/**
 * Returns the bee with these params over its own; those of the task come last. Leaves out what the colony
 * does not allow, with a warning for each (docs/rules.md §9).
 */
export const withParams = (
	colony: Colony,
	bee: Bee,
	{trace, request, task}: GivenParams,
	{hasCommand}: {readonly hasCommand: boolean},
): {readonly bee: Bee; readonly warnings: readonly string[]} => {
	const allowed = colony.defaults.planParams ?? [];
	const given = [
		{by: 'request', params: trace ?? {}, isForAll: true},
		{by: 'request', params: request ?? {}, isForAll: false},
		{by: 'plan', params: task ?? {}, isForAll: false},
	];
	const warnings = given.flatMap(({by, params, isForAll}) =>
		Object.keys(params).flatMap(name => {
			const named = `The param "${name}" of the ${by}`;
			if (!allowed.includes(name))
				return [`${named} is left out: defaults.plan_params of .hive/colony.yaml does not name it.`];
			// Params for a whole trace are not meant for each bee in it.
			return hasCommand && !isForAll ? [`${named} is ignored: ${bee.role} has a "command".`] : [];
		}),
	);
	const set = given.flatMap(({params}) => Object.entries(params)).filter(([name]) => allowed.includes(name));
	return {
		bee: hasCommand || set.length === 0 ? bee : {...bee, params: {...bee.params, ...Object.fromEntries(set)}},
		warnings: [...new Set(warnings)],
	};
};
