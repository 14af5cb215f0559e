import {type CodeKind, type CodeLines, type CodeSpan, mostCharacters} from './code.ts';
import {highlighter, languageOf} from './languages.ts';

/** Longer lines are not read: they are data or were made by a machine. */
const longestLine = 500;
/**
 * The parts of the lines of one side of a file, hunk by hunk. A hunk is read on its own, as if the file began
 * there: what is open above it is not known. Nothing for a language that is not known; where lines are too
 * long or too many, the others have their parts.
 */
export const highlight = (path: string, hunks: readonly (readonly string[])[]): readonly CodeLines[] => {
	const language = languageOf(path);
	let left = mostCharacters;
	return hunks.map(lines => {
		if (language === undefined) return lines.map(() => undefined);
		const read: string[] = [];
		for (const line of lines) {
			left -= line.length > longestLine ? 0 : line.length + 1;
			if (left < 0) break;
			// It keeps its place: what is around it is code still.
			read.push(line.length > longestLine ? '' : line);
		}
		const spans = spansOf(language, read);
		return lines.map((line, at) => (line === read[at] && line !== '' ? spans[at] : undefined));
	});
};

/** Nothing of what could not be read. */
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
 * What the highlighter writes: elements that it opens and closes, and text in which every sign of markup is
 * an entity.
 */
const readParts = (value: string): readonly CodeSpan[] => {
	const parts: CodeSpan[] = [];
	const open: (CodeKind | undefined)[] = [];
	for (const [token, scope] of value.matchAll(/<span class="([^"]*)">|<\/span>|&[^;]*;|[^<&]+/g)) {
		if (scope !== undefined) open.push(kindOf(scope, open.at(-1)));
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

/** The highlighter's own names (its "scopes"), by the first word of each. */
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

/** What stands in another part is of its kind, unless it has one of its own or is code again. */
const kindOf = (scope: string, outer: CodeKind | undefined): CodeKind | undefined => {
	const [first = ''] = scope.split(' ');
	if (first === 'subst' || first === 'params' || first.startsWith('language-')) return;
	return kinds[scope.split(' ').slice(0, 2).join(' ')] ?? kinds[first] ?? outer;
};
