import type {TemplateValue} from './nodes.ts';
import {kindName, printValue} from './values.ts';

type Printed = {readonly ok: true; readonly text: string} | {readonly ok: false; readonly problem: string};

const maxWidth = 1000;

/** Go's `printf` for the verbs %s %v %q %d %f %t %x and %%, with width, precision, `-` and `0`. */
export const printf = (format: TemplateValue, args: readonly TemplateValue[]): Printed => {
	if (typeof format !== 'string') return failed(`"printf" needs a text to format, not ${kindName(format)}`);
	const problems: string[] = [];
	let used = 0;
	const text = format.replace(
		/%([-0]*)(\d*)(?:\.(\d+))?(.?)/gsu,
		(written, flags: string, width: string, precision: string | undefined, verb: string) => {
			if (verb === '%') return '%';
			const value = args[used];
			used += 1;
			const shown = value === undefined ? undefined : show(verb, value, precision);
			if (shown === undefined || Number(width) > maxWidth) problems.push(mismatch(written, value));
			return pad(shown ?? '', flags, Number(width));
		},
	);
	if (used < args.length) problems.push(`"printf" got ${args.length - used} value(s) too many`);
	return problems[0] === undefined ? {ok: true, text} : failed(problems[0]);
};

const failed = (problem: string): Printed => ({ok: false, problem});

const mismatch = (written: string, value: TemplateValue | undefined): string =>
	value === undefined
		? `"printf" has no value for "${written}"`
		: `"printf" cannot print ${kindName(value)} with "${written}"`;

const show = (verb: string, value: TemplateValue, precision: string | undefined): string | undefined => {
	if (verb === 's' || verb === 'v') {
		const text = printValue(value);
		return precision === undefined ? text : [...text].slice(0, Number(precision)).join('');
	}
	if (verb === 'q') return typeof value === 'string' ? JSON.stringify(value) : undefined;
	if (verb === 't') return typeof value === 'boolean' ? String(value) : undefined;
	if (typeof value !== 'number') return undefined;
	if (verb === 'f') return value.toFixed(Math.min(Number(precision ?? 6), 100));
	if (!Number.isInteger(value)) return undefined;
	if (verb === 'd') return String(value);
	return verb === 'x' ? value.toString(16) : undefined;
};

const pad = (text: string, flags: string, width: number): string => {
	const size = Math.min(width, maxWidth);
	if (flags.includes('-')) return text.padEnd(size);
	if (!flags.includes('0')) return text.padStart(size);
	return text.startsWith('-') ? `-${text.slice(1).padStart(size - 1, '0')}` : text.padStart(size, '0');
};
