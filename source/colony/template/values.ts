import type {TemplateValue} from './nodes.ts';

type Fields = {readonly [field: string]: TemplateValue};

export const isFields = (value: TemplateValue): value is Fields =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

export const isItems = (value: TemplateValue): value is readonly TemplateValue[] => Array.isArray(value);

/** Go's rule: false, 0, empty text, an empty list or map, and nil do not count as true. */
export const isTrue = (value: TemplateValue): boolean => {
	if (isItems(value)) return value.length > 0;
	if (isFields(value)) return Object.keys(value).length > 0;
	return Boolean(value);
};

/** A value as text: lists as `[a b]`, maps as `map[key:value]` in key order. */
export const printValue = (value: TemplateValue): string => {
	if (isItems(value)) return `[${value.map(printValue).join(' ')}]`;
	if (isFields(value)) {
		const pairs = Object.keys(value).sort();
		return `map[${pairs.map(key => `${key}:${printValue(value[key] ?? null)}`).join(' ')}]`;
	}
	return value === null ? '<nil>' : String(value);
};

/** What a value is, for error texts. */
export const kindName = (value: TemplateValue): string => {
	if (value === null) return 'nil';
	if (isItems(value)) return 'a list';
	if (isFields(value)) return 'a map';
	return {string: 'text', number: 'a number', boolean: 'true or false'}[String(typeof value)] ?? 'a value';
};
