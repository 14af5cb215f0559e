import type {TemplateValue} from './nodes.ts';
import {printf} from './printf.ts';
import {isFields, isItems, isTrue, kindName} from './values.ts';

/** A failed call. The renderer adds the line. */
export class CallError extends Error {}

type TemplateFunction = {
	readonly minArguments: number;
	readonly maxArguments: number;
	readonly call: (args: readonly TemplateValue[]) => TemplateValue;
};

/** `and` and `or` evaluate lazily, so the renderer implements them itself. */
export const lazyNames = ['and', 'or'];

/** Calls one of Go's template functions. Throws `CallError`. */
export const callFunction = (name: string, args: readonly TemplateValue[]): TemplateValue => {
	const found = functions.get(name);
	if (found === undefined) throw new CallError(`unknown function "${name}"`);
	if (args.length < found.minArguments || args.length > found.maxArguments)
		throw new CallError(`"${name}" got ${args.length} argument${args.length === 1 ? '' : 's'}`);
	return found.call(args);
};

const compare = (name: string, holds: (order: number) => boolean): [string, TemplateFunction] => [
	name,
	{minArguments: 2, maxArguments: 2, call: ([left = null, right = null]) => holds(order(name, left, right))},
];

const order = (name: string, left: TemplateValue, right: TemplateValue): number => {
	if (typeof left === 'number' && typeof right === 'number') return left - right;
	if (typeof left === 'string' && typeof right === 'string') return left < right ? -1 : left > right ? 1 : 0;
	throw new CallError(`"${name}" cannot compare ${kindName(left)} with ${kindName(right)}`);
};

const isEqual = (name: string, left: TemplateValue, right: TemplateValue): boolean => {
	const basic = [left, right].every(value => value === null || typeof value !== 'object');
	if (!basic || (left !== null && right !== null && typeof left !== typeof right))
		throw new CallError(`"${name}" cannot compare ${kindName(left)} with ${kindName(right)}`);
	return left === right;
};

/** `eq` is true if the first argument equals any of the others. */
const equalsAny = ([first = null, ...others]: readonly TemplateValue[]): boolean =>
	others.some(other => isEqual('eq', first, other));

const lengthOf = ([value = null]: readonly TemplateValue[]): number => {
	if (typeof value === 'string') return new TextEncoder().encode(value).length;
	if (isItems(value)) return value.length;
	if (isFields(value)) return Object.keys(value).length;
	throw new CallError(`"len" of ${kindName(value)}`);
};

const indexInto = ([value = null, ...keys]: readonly TemplateValue[]): TemplateValue =>
	keys.reduce(itemAt, value);

const itemAt = (value: TemplateValue, key: TemplateValue): TemplateValue => {
	if (isFields(value) && typeof key === 'string')
		return Object.hasOwn(value, key) ? (value[key] ?? null) : '';
	if (!isItems(value) || typeof key !== 'number')
		throw new CallError(`"index" of ${kindName(value)} by ${kindName(key)}`);
	const found = value[key];
	if (found === undefined) throw new CallError(`index ${key} is out of range: the list has ${value.length}`);
	return found;
};

const functions: ReadonlyMap<string, TemplateFunction> = new Map<string, TemplateFunction>([
	['eq', {minArguments: 2, maxArguments: Number.POSITIVE_INFINITY, call: equalsAny}],
	[
		'ne',
		{minArguments: 2, maxArguments: 2, call: ([left = null, right = null]) => !isEqual('ne', left, right)},
	],
	compare('lt', value => value < 0),
	compare('le', value => value <= 0),
	compare('gt', value => value > 0),
	compare('ge', value => value >= 0),
	['not', {minArguments: 1, maxArguments: 1, call: ([value = null]) => !isTrue(value)}],
	['len', {minArguments: 1, maxArguments: 1, call: lengthOf}],
	['index', {minArguments: 1, maxArguments: Number.POSITIVE_INFINITY, call: indexInto}],
	[
		'printf',
		{
			minArguments: 1,
			maxArguments: Number.POSITIVE_INFINITY,
			call: ([format = null, ...args]) => {
				const answer = printf(format, args);
				if (!answer.ok) throw new CallError(answer.problem);
				return answer.text;
			},
		},
	],
]);

export const functionNames: readonly string[] = [...lazyNames, ...functions.keys()];
