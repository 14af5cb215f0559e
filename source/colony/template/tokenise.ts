import {TemplateError} from './template-error.ts';

export type Token = {readonly line: number} & (
	| {readonly type: 'word'; readonly word: string}
	| {readonly type: 'field'; readonly from: 'dot' | 'root'; readonly path: readonly string[]}
	| {readonly type: 'literal'; readonly value: string | number}
	| {readonly type: 'mark'; readonly mark: '(' | ')' | '|'}
);

/** A template is a sequence of text and actions. An action is the part between `{{` and `}}`. */
export type Segment =
	| {readonly type: 'text'; readonly text: string}
	| {readonly type: 'action'; readonly line: number; readonly tokens: readonly Token[]};

/** Splits a template into segments. Applies trim marks and removes comments. Throws `TemplateError`. */
export const tokenise = (template: string, source: string): Segment[] => {
	const segments: Segment[] = [];
	const lineOf = createLineCounter(source);
	let position = 0;
	let trimNext = false;
	while (position <= source.length) {
		const open = source.indexOf('{{', position);
		const text = source.slice(position, open === -1 ? undefined : open);
		const trimThis = open !== -1 && /^-\s/.test(source.slice(open + 2, open + 4));
		pushText(segments, text, trimNext, trimThis);
		if (open === -1) break;
		const start = open + (trimThis ? 3 : 2);
		const action = readComment(source, start) ?? readAction(template, source, start, lineOf);
		if (action === undefined) throw new TemplateError(template, lineOf(open), '"{{" is not closed by "}}"');
		if (action.tokens) segments.push({type: 'action', line: lineOf(open), tokens: action.tokens});
		trimNext = action.trimsNext;
		position = action.end;
	}
	return segments;
};

type Action = {readonly tokens?: readonly Token[]; readonly end: number; readonly trimsNext: boolean};

const pushText = (segments: Segment[], text: string, trimStart: boolean, trimEnd: boolean): void => {
	const started = trimStart ? text.replace(/^[ \t\r\n]+/, '') : text;
	const kept = trimEnd ? trimBlankEnd(started) : started;
	if (kept !== '') segments.push({type: 'text', text: kept});
};

/** Written as a loop, since a pattern anchored at the end is slow on long runs of blanks. */
const trimBlankEnd = (text: string): string => {
	let end = text.length;
	while (end > 0 && ' \t\r\n'.includes(text.charAt(end - 1))) end -= 1;
	return text.slice(0, end);
};

const readComment = (source: string, start: number): Action | undefined => {
	const open = /\s*\/\*/y;
	open.lastIndex = start;
	if (!open.test(source)) return undefined;
	const end = source.indexOf('*/', open.lastIndex);
	const close = /(\s+-)?\s*\}\}/y;
	close.lastIndex = end + 2;
	const closed = end === -1 ? null : close.exec(source);
	return closed ? {end: close.lastIndex, trimsNext: closed[1] !== undefined} : undefined;
};

const blank = /\s*/y;
const closing = /(?<=\s)-\}\}|\}\}/y;
const tokenPattern =
	/(?<field>\$?(?:\.[\p{L}_][\p{L}\p{N}_]*)+|\$(?![\p{L}_])|\.(?![\p{L}\p{N}_.]))|(?<number>[+-]?\d+(?:\.\d+)?(?![\p{L}\d.]))|(?<word>[\p{L}_][\p{L}\p{N}_]*)|(?<quoted>"(?:[^"\\\n]|\\[^\n])*")|`(?<raw>[^`]*)`|(?<mark>[()|])/uy;

const readAction = (
	template: string,
	source: string,
	start: number,
	lineOf: (offset: number) => number,
): Action | undefined => {
	const tokens: Token[] = [];
	let position = start;
	while (position < source.length) {
		blank.lastIndex = position;
		blank.test(source);
		position = blank.lastIndex;
		closing.lastIndex = position;
		const closed = closing.exec(source);
		if (closed) return {tokens, end: closing.lastIndex, trimsNext: closed[0].startsWith('-')};
		if (position >= source.length) return undefined;
		tokenPattern.lastIndex = position;
		const match = tokenPattern.exec(source);
		const line = lineOf(position);
		const afterParenthesis = match?.groups?.field !== undefined && source[position - 1] === ')';
		if (!match?.groups || afterParenthesis) throw unreadable(template, source, position, line);
		tokens.push(tokenOf(match.groups, template, line));
		position = tokenPattern.lastIndex;
	}
	return undefined;
};

const tokenOf = (
	groups: Readonly<Record<string, string | undefined>>,
	template: string,
	line: number,
): Token => {
	const {field, number, word, quoted, raw, mark} = groups;
	if (field !== undefined) {
		const path = field.split('.').slice(1).filter(Boolean);
		return {type: 'field', from: field.startsWith('$') ? 'root' : 'dot', path, line};
	}
	if (number !== undefined) return {type: 'literal', value: Number(number), line};
	if (word !== undefined) return {type: 'word', word, line};
	if (quoted !== undefined) return {type: 'literal', value: unquote(quoted, template, line), line};
	if (raw !== undefined) return {type: 'literal', value: raw, line};
	return {type: 'mark', mark: mark === '(' ? '(' : mark === ')' ? ')' : '|', line};
};

const unquote = (quoted: string, template: string, line: number): string => {
	try {
		return String(JSON.parse(quoted));
	} catch {
		throw new TemplateError(
			template,
			line,
			`${quoted} has an escape that is not known`,
			'Use \\n, \\t, \\" and \\\\.',
		);
	}
};

const unreadable = (template: string, source: string, position: number, line: number): TemplateError => {
	const rest = source.slice(position, position + 20).split('\n', 1)[0] ?? '';
	const [variable] = /^\$[\p{L}_][\p{L}\p{N}_]*/u.exec(rest) ?? [];
	return variable === undefined
		? new TemplateError(template, line, `cannot read "${rest}"`)
		: new TemplateError(
				template,
				line,
				`variables such as ${variable} are not supported`,
				'Use "." and "$".',
			);
};

/** Line numbers of increasing offsets, counted in one pass over the text. */
const createLineCounter = (source: string) => {
	let counted = 0;
	let line = 1;
	return (offset: number): number => {
		if (offset < counted) return line;
		for (let at = counted; at < offset; at += 1) if (source[at] === '\n') line += 1;
		counted = offset;
		return line;
	};
};
