import type {TemplateValue} from './nodes.ts';

type Fields = {readonly [field: string]: TemplateValue};

export const isFields = (value: TemplateValue): value is Fields =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

export const isItems = (value: TemplateValue): value is readonly TemplateValue[] => Array.isArray(value);

/** Go's rule: false, 0, an empty text, list or map, and nil are false. */
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

/** The kind of a value, for error messages. */
export const kindName = (value: TemplateValue): string => {
	if (value === null) return 'nil';
	if (isItems(value)) return 'a list';
	if (isFields(value)) return 'a map';
	return {string: 'text', number: 'a number', boolean: 'true or false'}[String(typeof value)] ?? 'a value';
};
