import {hintNearest} from '../../domain/nearest.ts';
import {functionNames} from './functions.ts';
import type {Expression} from './nodes.ts';
import {TemplateError} from './template-error.ts';
import type {Token} from './tokenise.ts';

const maxDepth = 50;
const constants: ReadonlyMap<string, boolean | null> = new Map([
	['true', true],
	['false', false],
	['nil', null],
]);

/**
 * Parses `operand`, `function operand…`, and `… | function operand…`, where the piped value is the last
 * argument.
 */
export const readExpression = (template: string, start: number, tokens: readonly Token[]): Expression => {
	let index = 0;

	const fail = (token: Token | undefined, message: string) =>
		new TemplateError(template, token?.line ?? start, message);

	const pipeline = (depth: number): Expression => {
		if (depth > maxDepth) throw fail(undefined, 'parentheses are nested too deeply');
		let value = command(depth, []);
		while (isMark(tokens[index], '|')) {
			index += 1;
			value = command(depth, [value]);
		}
		return value;
	};

	const command = (depth: number, piped: readonly Expression[]): Expression => {
		const first = tokens[index];
		if (first?.type !== 'word' || constants.has(first.word)) {
			const value = operand(depth);
			if (piped.length > 0 || startsOperand(tokens[index]))
				throw fail(first, 'only a function takes arguments');
			return value;
		}
		index += 1;
		const args: Expression[] = [];
		while (startsOperand(tokens[index])) args.push(operand(depth));
		return call(template, first.word, first.line, [...args, ...piped]);
	};

	const operand = (depth: number): Expression => {
		const token = tokens[index++];
		if (token === undefined) throw fail(undefined, 'a value is missing');
		if (token.type === 'literal' || token.type === 'field') return token;
		if (token.type === 'word') {
			const value = constants.get(token.word);
			return value === undefined
				? call(template, token.word, token.line, [])
				: {type: 'literal', value, line: token.line};
		}
		if (token.mark !== '(') throw fail(token, `unexpected "${token.mark}"`);
		const value = pipeline(depth + 1);
		if (!isMark(tokens[index], ')')) throw fail(token, '"(" is not closed');
		index += 1;
		return value;
	};

	const expression = pipeline(0);
	const extra = tokens[index];
	if (extra) throw fail(extra, 'this action has something after its end');
	return expression;
};

const call = (template: string, name: string, line: number, args: readonly Expression[]): Expression => {
	if (!functionNames.includes(name))
		throw new TemplateError(template, line, `unknown function "${name}"`, hintNearest(name, functionNames));
	return {type: 'call', name, args, line};
};

const isMark = (token: Token | undefined, mark: '(' | ')' | '|'): boolean =>
	token?.type === 'mark' && token.mark === mark;

const startsOperand = (token: Token | undefined): boolean =>
	token !== undefined && (token.type !== 'mark' || token.mark === '(');
