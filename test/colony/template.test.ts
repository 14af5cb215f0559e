import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import type {TemplateValue} from '../../source/colony/template/nodes.ts';
import {renderTemplate} from '../../source/colony/template/render.ts';
import {TemplateError} from '../../source/colony/template/template-error.ts';

type Partials = Readonly<Record<string, string>>;

const data = {
	Task: 'Fix it',
	Empty: '',
	Count: 3,
	Zero: 0,
	Yes: true,
	No: false,
	Items: ['a', 'b'],
	None: [],
	Nested: {Deep: {Name: 'leaf'}},
	People: [{Name: 'Ann'}, {Name: 'Bo'}],
};

const render = (text: string, values: TemplateValue = data, partials: Partials = {}): string =>
	renderTemplate(
		{name: 'main.md', text},
		new Map(Object.entries(partials).map(([name, partial]) => [name, {name: `${name}.md`, text: partial}])),
		values,
	);

const failure = (text: string, partials: Partials = {}): TemplateError => {
	try {
		render(text, data, partials);
	} catch (error) {
		if (error instanceof TemplateError) return error;
		throw error;
	}
	throw new Error(`rendered: ${text}`);
};

test.each([
	['a field', 'Do {{.Task}}.', 'Do Fix it.'],
	['a nested field', '{{.Nested.Deep.Name}}', 'leaf'],
	['the root from inside a range', '{{range .Items}}{{.}}{{$.Count}} {{end}}', 'a3 b3 '],
	['a field of each item', '{{range .People}}{{.Name}};{{end}}', 'Ann;Bo;'],
	['the else of an empty range', '{{range .None}}x{{else}}none{{end}}', 'none'],
	['a map by sorted key', '{{range .Nested}}{{.Name}}{{end}}', 'leaf'],
	['with, which rebinds the dot', '{{with .Nested.Deep}}{{.Name}}{{end}}', 'leaf'],
	['with on nothing', '{{with .Empty}}x{{else}}y{{end}}', 'y'],
	['if and else', '{{if .No}}a{{else}}b{{end}}', 'b'],
	['else if', '{{if .No}}a{{else if .Yes}}b{{else}}c{{end}}', 'b'],
	['the last else of a chain', '{{if .No}}a{{else if .Zero}}b{{else}}c{{end}}', 'c'],
	['zero, empty text and empty lists as false', '{{if or .Zero .Empty .None}}a{{else}}b{{end}}', 'b'],
	['a left trim', 'a \n\t{{- .Count}} b', 'a3 b'],
	['a right trim', 'a {{.Count -}} \n b', 'a 3b'],
	['a comment', 'a{{/* {{.Nope}} */}}b', 'ab'],
	['a comment with trims', 'a {{- /* note */ -}} b', 'ab'],
	['a negative number beside a trim', '{{-3}} {{ -3 -}} x', '-3 -3x'],
	['text literals', '{{"a\\n\\"b\\""}}{{`raw {{}}`}}', 'a\n"b"raw {{}}'],
	['literals of truth', '{{true}} {{false}}', 'true false'],
	['eq with several', '{{eq .Task "x" "Fix it"}}', 'true'],
	['ne', '{{ne .Count 3}}', 'false'],
	['order of numbers', '{{lt 2 10}} {{le 2 2}} {{gt 2 10}} {{ge 3 2}}', 'true true false true'],
	['order of text', '{{lt "10" "2"}}', 'true'],
	['and, which answers the first false', '{{and .Task .Empty "x"}}|{{and .Task "x"}}', '|x'],
	['or, which answers the first true', '{{or .Empty "x"}}', 'x'],
	['not', '{{not .Empty}}', 'true'],
	['len', '{{len .Items}} {{len "äb"}} {{len .Nested}}', '2 3 1'],
	['index', '{{index .Items 1}} {{index .Nested "Deep" "Name"}}', 'b leaf'],
	['parentheses', '{{if and (eq .Count 3) (not (eq .Task "x"))}}y{{end}}', 'y'],
	['a pipe', '{{.Task | printf "%q"}}', '"Fix it"'],
	[
		'printf',
		'{{printf "%s %d %v %5.2f|%-4s|%04d %t %x %%" "a" 1 .Items 1.5 "b" 7 true 255}}',
		'a 1 [a b]  1.50|b   |0007 true ff %',
	],
	['an action over several lines', '{{if\n  .Yes\n}}y{{end}}', 'y'],
	['a list', '{{.Items}}', '[a b]'],
])('a template renders %s', (_, template, expected) => {
	expect(render(template)).toBe(expected);
});

test('a partial sees its argument, and its $ is the argument', () => {
	const partials = {person: '{{.Name}}/{{$.Name}}'};
	expect(render('{{range .People}}{{template "person" .}} {{end}}', data, partials)).toBe('Ann/Ann Bo/Bo ');
});

test('a broken partial affects only templates that use it', () => {
	expect(render('fine', data, {broken: '{{if'})).toBe('fine');
	expect(failure('{{template "broken" .}}', {broken: 'x\n{{if'})).toMatchObject({
		template: 'broken.md',
		line: 2,
	});
});

test.each([
	['an unknown field', 'a\n{{.Taks}}', 2, 'unknown field ".Taks"', 'Did you mean "Task"?'],
	['a field of text', '{{.Task.Name}}', 1, 'there is no field ".Name" on text', undefined],
	[
		'a partial that is not there',
		'\n\n{{template "contxt" .}}',
		3,
		'there is no partial "contxt"',
		'Did you mean "context"?',
	],
	['an unknown function', '{{lenn .Items}}', 1, 'unknown function "lenn"', 'Did you mean "len"?'],
	['an open action', 'a\n{{.Task', 2, '"{{" is not closed by "}}"', undefined],
	['an open block', '\n{{if .Yes}}x', 2, '"if" is not closed', 'Add {{end}}.'],
	['an end too many', '{{end}}', 1, '"end" without a block before it', undefined],
	['an else too many', '{{if .Yes}}{{else}}{{else}}{{end}}', 1, 'a second "else"', undefined],
	['a variable', '{{$x := 1}}', 1, 'variables such as $x are not supported', 'Use "." and "$".'],
	['an empty action', '{{}}', 1, 'a value is missing', undefined],
	['arguments to a field', '{{.Task .Count}}', 1, 'only a function takes arguments', undefined],
	['a field after parentheses', '{{(index .People 0).Name}}', 1, 'cannot read ".Name}}"', undefined],
	['a range over text', '{{range .Task}}{{end}}', 1, 'cannot range over text', undefined],
	['an index out of range', '{{index .Items 2}}', 1, 'index 2 is out of range: the list has 2', undefined],
	['values of two kinds', '{{eq .Count "3"}}', 1, '"eq" cannot compare a number with text', undefined],
	['too few arguments', '{{eq .Count}}', 1, '"eq" got 1 argument', undefined],
	['a wrong verb', '{{printf "%d" "x"}}', 1, '"printf" cannot print text with "%d"', undefined],
	['a value too few', '{{printf "%s"}}', 1, '"printf" has no value for "%s"', undefined],
	['a value too many', '{{printf "" 1}}', 1, '"printf" got 1 value(s) too many', undefined],
	['a definition', '{{define "x"}}{{end}}', 1, '"define" is not supported', undefined],
])('%s is an error with its line and a fix', (_, template, line, message, hint) => {
	const error = failure(template, {context: ''});
	expect({template: error.template, line: error.line, message: error.message, hint: error.hint}).toEqual({
		template: 'main.md',
		line,
		message,
		hint,
	});
});

describe('the values that a template reaches', () => {
	test.each(['constructor', '__proto__', 'toString', 'hasOwnProperty'])('do not include .%s', name => {
		expect(failure(`{{.${name}}}`).message).toBe(`unknown field ".${name}"`);
		expect(failure(`{{index .Items "${name}"}}`)).toBeInstanceOf(TemplateError);
		expect(failure(`{{.Task.${name}}}`)).toBeInstanceOf(TemplateError);
		expect(render(`{{index .Nested "${name}"}}`)).toBe('');
	});
});

describe('an unbounded template', () => {
	test('that includes itself is stopped', () => {
		expect(failure('{{template "loop" .}}', {loop: '{{template "loop" .}}'}).message).toContain(
			'without end',
		);
	});
	test('that includes itself many times per level is stopped as early', () => {
		const loop = '{{template "loop" .}}'.repeat(50);
		expect(failure(loop, {loop}).message).toContain('without end');
	});
	test('with too deep nesting is refused, without a stack overflow', () => {
		expect(failure('{{if .Yes}}'.repeat(10_000)).message).toContain('nested too deeply');
		expect(failure(`{{${'('.repeat(10_000)}}}`).message).toContain('nested too deeply');
	});
	test('with an output over 4 MiB is stopped', () => {
		const big = {Items: Array.from({length: 1000}, () => 'x'.repeat(1000))};
		const text = '{{range .Items}}{{range $.Items}}{{.}}{{end}}{{end}}';
		expect(() => render(text, big)).toThrow('larger than 4 MiB');
	});
});

describe('template rendering of any text', () => {
	test('returns a text without actions unchanged', () => {
		fc.assert(
			fc.property(
				fc
					.string({unit: fc.constantFrom('{', '}', ' ', '\n', '.Task', '$', '-', 'é', '\0')})
					.filter(text => !text.includes('{{')),
				text => {
					expect(render(text)).toBe(text);
				},
			),
		);
	});

	test('never reads the value of a field as a template', () => {
		const hostile = fc.string({unit: fc.constantFrom('{{', '}}', '.Task', 'end', ' ', '-', '$PROMPT', 'x')});
		fc.assert(
			fc.property(hostile, value => {
				expect(render('<{{.Task}}>', {Task: value})).toBe(`<${value}>`);
				expect(render('{{range .Items}}{{.}}{{end}}', {Items: [value, value]})).toBe(value + value);
			}),
		);
	});

	test('returns a text or throws a TemplateError, and nothing else', () => {
		const pieces = [
			...['{{', '}}', '{{-', '-}}', '(', ')', '|', '"', '`', '/*', '*/', ' ', '\n', 'x', '3', '$', '%d'],
			...['.Task', '.Items', '.Nested', '.', 'if ', 'else', 'end', 'range ', 'with ', 'template "p" '],
			...['eq ', 'and ', 'len ', 'index ', 'printf ', 'nil', 'true', '{{if .Yes}}', '{{end}}', '{{else}}'],
		];
		fc.assert(
			fc.property(fc.array(fc.constantFrom(...pieces), {maxLength: 30}), parts => {
				try {
					expect(typeof render(parts.join(''), data, {p: '{{.}}'})).toBe('string');
				} catch (error) {
					expect(error).toBeInstanceOf(TemplateError);
				}
			}),
			{numRuns: 2000},
		);
	});
});
