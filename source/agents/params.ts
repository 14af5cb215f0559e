import type {Bee} from '../colony/colony.ts';

/** Text of a param. Undefined if it is not set. */
export const textParam = ({params}: Bee, name: string): string | undefined => {
	const value = Object.hasOwn(params, name) ? params[name] : undefined;
	return typeof value === 'string' && value !== '' ? value : undefined;
};

export const flagParam = ({params}: Bee, name: string, fallback: boolean): boolean => {
	const value = Object.hasOwn(params, name) ? params[name] : undefined;
	return typeof value === 'boolean' ? value : fallback;
};

/** True if the bee only plans: `params.plan` and `params.mode: plan` mean the same. */
export const isPlanning = (bee: Bee): boolean =>
	flagParam(bee, 'plan', false) || textParam(bee, 'mode') === 'plan';

/** `params.args`: the user's own arguments, placed after hive's. */
export const furtherArguments = ({params}: Bee): readonly string[] => {
	const value = Object.hasOwn(params, 'args') ? params.args : undefined;
	return Array.isArray(value) ? value.filter(one => typeof one === 'string') : [];
};

/** A flag with its value, or no argument without a value. */
export const option = (flag: string, value: string | undefined): string[] =>
	value === undefined ? [] : [flag, value];
