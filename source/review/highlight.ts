import {type CodeKind, type CodeLines, type CodeSpan, maxCharacters} from './code.ts';
import {highlighter, languageOf} from './languages.ts';

/** Max characters of a line. Longer ones are data, or generated, and are not read. */
const maxLineLength = 500;
/**
 * Returns the parts of the lines of one side of a file, hunk by hunk. Each hunk is read as if the file began
 * there, since the state above it is unknown. Lines of an unknown language, too long lines, and lines past
 * the max have no parts.
 */
export const highlight = (path: string, hunks: readonly (readonly string[])[]): readonly CodeLines[] => {
	const language = languageOf(path);
	let left = maxCharacters;
	return hunks.map(lines => {
		if (language === undefined) return lines.map(() => undefined);
		const read: string[] = [];
		for (const line of lines) {
			left -= line.length > maxLineLength ? 0 : line.length + 1;
			if (left < 0) break;
			// An empty line in its place keeps the code around it readable.
			read.push(line.length > maxLineLength ? '' : line);
		}
		const spans = spansOf(language, read);
		return lines.map((line, at) => (line === read[at] && line !== '' ? spans[at] : undefined));
	});
};

/** Returns no parts if the code could not be read. */
const spansOf = (language: string, lines: readonly string[]): readonly (readonly CodeSpan[])[] => {
	const code = lines.join('\n');
	const {value, errorRaised} = highlighter.highlight(code, {language, ignoreIllegals: true});
	if (errorRaised !== undefined) return [];
	const spans = splitLines(readParts(value));
	return spans.length === lines.length &&
		spans.every((parts, at) => parts.map(({text}) => text).join('') === lines[at])
		? spans
		: [];
};

const entities: Readonly<Record<string, string>> = {
	...{'&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#x27;': "'"},
};

/**
 * Parses the highlighter's output: elements that open and close, and text in which every character of markup
 * is an entity.
 */
const readParts = (value: string): readonly CodeSpan[] => {
	const parts: CodeSpan[] = [];
	const open: (CodeKind | undefined)[] = [];
	for (const [token, scope] of value.matchAll(/<span class="([^"]*)">|<\/span>|&[^;]*;|[^<&]+/g)) {
		if (scope !== undefined) open.push(kindOfScope(scope, open.at(-1)));
		else if (token === '</span>') open.pop();
		else {
			const text = entities[token] ?? token;
			const kind = open.at(-1);
			const last = parts.at(-1);
			if (last !== undefined && last.kind === kind)
				parts[parts.length - 1] = {...last, text: last.text + text};
			else parts.push({text, ...(kind && {kind})});
		}
	}
	return parts;
};

const splitLines = (parts: readonly CodeSpan[]): readonly (readonly CodeSpan[])[] => {
	let line: CodeSpan[] = [];
	const lines = [line];
	for (const part of parts)
		for (const [at, text] of part.text.split('\n').entries()) {
			if (at > 0) {
				line = [];
				lines.push(line);
			}
			if (text !== '') line.push({...part, text});
		}
	return lines;
};

/** Kinds by the highlighter's own names ("scopes"), or by the first word of each. */
const kinds: Readonly<Record<string, CodeKind>> = {
	...{comment: 'comment', quote: 'comment'},
	...{keyword: 'keyword', literal: 'keyword', 'selector-tag': 'keyword', name: 'keyword'},
	...{string: 'string', regexp: 'string', code: 'string', link: 'string', 'char escape_': 'string'},
	...{number: 'number', symbol: 'number', bullet: 'number'},
	...{type: 'type', built_in: 'type', class: 'type', 'title class_': 'type', 'selector-class': 'type'},
	...{title: 'title', section: 'title', 'selector-id': 'title'},
	...{attr: 'attribute', attribute: 'attribute', property: 'attribute', 'selector-attr': 'attribute'},
	...{variable: 'variable', 'template-variable': 'variable'},
	...{meta: 'meta', 'selector-pseudo': 'meta', doctag: 'meta'},
};

/**
 * Returns the kind of a scope. A part inside another part has that part's kind, unless it has its own or is
 * code again.
 */
const kindOfScope = (scope: string, outer: CodeKind | undefined): CodeKind | undefined => {
	const [first = ''] = scope.split(' ');
	if (first === 'subst' || first === 'params' || first.startsWith('language-')) return;
	return kinds[scope.split(' ').slice(0, 2).join(' ')] ?? kinds[first] ?? outer;
};
