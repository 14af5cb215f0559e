import type {TemplateNode} from './nodes.ts';
import {readExpression} from './parse-expression.ts';
import {TemplateError} from './template-error.ts';
import {type Segment, type Token, tokenise} from './tokenise.ts';

const maxDepth = 50;
const blocks = ['if', 'range', 'with'] as const;
const unsupported = ['define', 'block', 'break', 'continue'];

/** Parses a template into nodes. Throws `TemplateError` with the line of the error. */
export const parseTemplate = (template: string, source: string): readonly TemplateNode[] => {
	const segments = tokenise(template, source);
	const parser = createParser(template, segments);
	const {nodes, end} = parser.body(0);
	if (end) throw new TemplateError(template, end.line, `"${wordOf(end)}" without a block before it`);
	return nodes;
};

type Action = Extract<Segment, {type: 'action'}>;
type Body = {readonly nodes: readonly TemplateNode[]; readonly end: Action | undefined};

const wordOf = ({tokens: [first]}: Action): string => (first?.type === 'word' ? first.word : '');

const createParser = (template: string, segments: readonly Segment[]) => {
	let index = 0;

	/** Parses nodes up to the `else` or `end` of the block, or to the end of the text. */
	const body = (depth: number): Body => {
		const nodes: TemplateNode[] = [];
		while (index < segments.length) {
			const segment = segments[index++];
			if (segment?.type === 'text') nodes.push(segment);
			else if (segment) {
				if (['else', 'end'].includes(wordOf(segment))) return {nodes, end: segment};
				nodes.push(action(segment, depth));
			}
		}
		return {nodes, end: undefined};
	};

	const action = (segment: Action, depth: number): TemplateNode => {
		const word = wordOf(segment);
		const block = blocks.find(name => name === word);
		if (block) return readBlock(block, segment, segment.tokens.slice(1), depth + 1);
		if (word === 'template') return readInclude(template, segment);
		if (unsupported.includes(word)) throw fail(template, segment, `"${word}" is not supported`);
		return {type: 'print', value: readExpression(template, segment.line, segment.tokens)};
	};

	const readBlock = (
		type: (typeof blocks)[number],
		start: Action,
		subjectTokens: readonly Token[],
		depth: number,
	): TemplateNode => {
		if (depth > maxDepth) throw fail(template, start, 'blocks are nested too deeply');
		const subject = readExpression(template, start.line, subjectTokens);
		const {nodes, end} = body(depth);
		if (end === undefined) throw fail(template, start, `"${type}" is not closed`, 'Add {{end}}.');
		return {type, subject, body: nodes, otherwise: readElse(type, start, end, depth)};
	};

	const readElse = (
		type: (typeof blocks)[number],
		start: Action,
		end: Action,
		depth: number,
	): readonly TemplateNode[] => {
		if (wordOf(end) === 'end') return expectAlone(template, end);
		const [, next, ...condition] = end.tokens;
		if (next?.type === 'word' && next.word === type && type !== 'range')
			return [readBlock(type, end, condition, depth + 1)];
		expectAlone(template, end);
		const otherwise = body(depth);
		if (otherwise.end === undefined) throw fail(template, start, `"${type}" is not closed`, 'Add {{end}}.');
		if (wordOf(otherwise.end) === 'else') throw fail(template, otherwise.end, 'a second "else"');
		expectAlone(template, otherwise.end);
		return otherwise.nodes;
	};

	return {body};
};

const expectAlone = (template: string, action: Action): readonly TemplateNode[] => {
	if (action.tokens.length > 1) throw fail(template, action, `"${wordOf(action)}" takes nothing after it`);
	return [];
};

const fail = (template: string, {line}: {line: number}, message: string, hint?: string) =>
	new TemplateError(template, line, message, hint);

const readInclude = (template: string, segment: Action): TemplateNode => {
	const [, name, ...rest] = segment.tokens;
	if (name?.type !== 'literal' || typeof name.value !== 'string')
		throw fail(template, segment, '"template" needs a name in quotes', 'Write {{template "name" .}}.');
	const data = rest.length === 0 ? undefined : readExpression(template, segment.line, rest);
	return {type: 'include', line: segment.line, name: name.value, data};
};
