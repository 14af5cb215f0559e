import {hintNearest} from '../../domain/nearest.ts';
import {CallError, callFunction, lazyNames} from './functions.ts';
import type {Expression, TemplateNode, TemplateValue} from './nodes.ts';
import {parseTemplate} from './parse.ts';
import {TemplateError} from './template-error.ts';
import {isFields, isItems, isTrue, kindName, printValue} from './values.ts';

/** A template's text, with its name for errors. */
export type TemplateSource = {readonly name: string; readonly text: string};

/** Max depth of inclusions, and max number of inclusions in one rendering. */
const maxDepth = 16;
const maxInclusions = 1000;
const maxCharacters = 4 * 1024 * 1024;

/** One template being rendered: its name for errors, and the data of `$` and `.`. */
type Scope = {
	readonly template: string;
	readonly root: TemplateValue;
	readonly dot: TemplateValue;
	readonly depth: number;
};

/**
 * Renders a template with plain data. A partial is parsed when it is first included, so a broken one affects
 * only the templates that use it. Rendered text is never scanned again. Throws only `TemplateError`.
 */
export const renderTemplate = (
	main: TemplateSource,
	partials: ReadonlyMap<string, TemplateSource>,
	data: TemplateValue,
): string => {
	const output: string[] = [];
	const parsed = new Map<string, readonly TemplateNode[]>();
	let inclusions = 0;
	let written = 0;

	const write = (text: string, {template}: Scope, line: number): void => {
		written += text.length;
		if (written > maxCharacters) throw new TemplateError(template, line, 'the result is larger than 4 MiB');
		output.push(text);
	};

	const renderAll = (nodes: readonly TemplateNode[], scope: Scope): void => {
		for (const node of nodes) renderNode(node, scope);
	};

	const renderNode = (node: TemplateNode, scope: Scope): void => {
		if (node.type === 'text') return write(node.text, scope, 1);
		if (node.type === 'print') return write(printValue(evaluate(node.value, scope)), scope, node.value.line);
		if (node.type === 'include') return include(node, scope);
		const subject = evaluate(node.subject, scope);
		if (!isTrue(subject)) return renderAll(node.otherwise, scope);
		if (node.type === 'if') return renderAll(node.body, scope);
		if (node.type === 'with') return renderAll(node.body, {...scope, dot: subject});
		for (const dot of itemsOf(subject, scope, node.subject.line)) renderAll(node.body, {...scope, dot});
	};

	const include = (node: Extract<TemplateNode, {type: 'include'}>, scope: Scope): void => {
		const {name, line} = node;
		const partial = partials.get(name);
		inclusions += 1;
		if (partial === undefined)
			throw new TemplateError(
				scope.template,
				line,
				`there is no partial "${name}"`,
				hintNearest(name, partials.keys()),
			);
		if (scope.depth >= maxDepth || inclusions > maxInclusions)
			throw new TemplateError(scope.template, line, `"${name}" is included without end`);
		const nodes = parsed.get(name) ?? parseTemplate(partial.name, partial.text);
		parsed.set(name, nodes);
		const given = node.data === undefined ? null : evaluate(node.data, scope);
		renderAll(nodes, {template: partial.name, root: given, dot: given, depth: scope.depth + 1});
	};

	renderAll(parseTemplate(main.name, main.text), {template: main.name, root: data, dot: data, depth: 0});
	return output.join('');
};

const itemsOf = (subject: TemplateValue, {template}: Scope, line: number): readonly TemplateValue[] => {
	if (isItems(subject)) return subject;
	if (!isFields(subject)) throw new TemplateError(template, line, `cannot range over ${kindName(subject)}`);
	return Object.keys(subject)
		.sort()
		.map(key => subject[key] ?? null);
};

const evaluate = (expression: Expression, scope: Scope): TemplateValue => {
	if (expression.type === 'literal') return expression.value;
	if (expression.type === 'field') return fieldOf(expression, scope);
	const {name, args, line} = expression;
	if (lazyNames.includes(name)) return firstDeciding(expression, scope);
	const values = args.map(argument => evaluate(argument, scope));
	try {
		return callFunction(name, values);
	} catch (error) {
		if (error instanceof CallError) throw new TemplateError(scope.template, line, error.message);
		throw error;
	}
};

/** `and` returns its first false argument and `or` its first true one, else the last. */
const firstDeciding = (
	{name, args, line}: Extract<Expression, {type: 'call'}>,
	scope: Scope,
): TemplateValue => {
	if (args.length === 0) throw new TemplateError(scope.template, line, `"${name}" got 0 arguments`);
	let value: TemplateValue = null;
	for (const argument of args) {
		value = evaluate(argument, scope);
		if (isTrue(value) === (name === 'or')) return value;
	}
	return value;
};

const fieldOf = ({from, path, line}: Extract<Expression, {type: 'field'}>, scope: Scope): TemplateValue => {
	const start = from === 'root' ? scope.root : scope.dot;
	return path.reduce<TemplateValue>((value, field) => {
		if (!isFields(value))
			throw new TemplateError(scope.template, line, `there is no field ".${field}" on ${kindName(value)}`);
		const found = Object.hasOwn(value, field) ? value[field] : undefined;
		if (found === undefined)
			throw new TemplateError(
				scope.template,
				line,
				`unknown field ".${field}"`,
				hintNearest(field, Object.keys(value)),
			);
		return found;
	}, start);
};
