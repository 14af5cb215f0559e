import type {ComponentChildren} from 'preact';
import {safe} from './safe.tsx';

/**
 * Agents' words with their headings, lists, quotes, code and emphasis. It makes elements, never HTML. A link
 * is shown with its address and cannot be followed, since an agent chose where it leads.
 */
export const Markdown = ({text}: {text: string}) => (
	<div class="words">{blocksIn(safe(text).split('\n'))}</div>
);

/** Max characters that are parsed. The rest is shown as it is. */
const maxParsed = 100_000;

const fencePattern = /^\s*(`{3,}|~{3,})/;
const listPattern = /^(\s*)(?:[-*+]|(\d{1,9})[.)])\s+(.*)$/;

const blocksIn = (lines: readonly string[], depth = 0): readonly ComponentChildren[] => {
	const blocks: ComponentChildren[] = [];
	let parsed = 0;
	for (let at = 0; at < lines.length; ) {
		const line = lines[at] ?? '';
		const key = at;
		/** Takes the lines from here on that fit. */
		const take = (fits: (line: string) => boolean): readonly string[] => {
			const from = at;
			while (at < lines.length && fits(lines[at] ?? '')) at += 1;
			return lines.slice(from, at);
		};
		parsed += line.length;
		const fence = fencePattern.exec(line)?.[1];
		if (parsed > maxParsed || depth > 4) {
			blocks.push(<pre key={key}>{take(() => true).join('\n')}</pre>);
		} else if (fence !== undefined) {
			at += 1;
			const code = take(one => !one.trim().startsWith(fence));
			at += 1;
			blocks.push(<pre key={key}>{code.join('\n')}</pre>);
		} else if (line.trim() === '') {
			at += 1;
		} else if (/^#{1,6}\s/.test(line)) {
			at += 1;
			blocks.push(
				<p key={key}>
					<b>{spansIn(line.replace(/^#+\s+/, ''))}</b>
				</p>,
			);
		} else if (/^\s*([-*_]\s*){3,}$/.test(line)) {
			at += 1;
			blocks.push(<hr key={key} />);
		} else if (/^\s*>/.test(line)) {
			const quoted = take(one => /^\s*>/.test(one)).map(one => one.replace(/^\s*> ?/, ''));
			blocks.push(<blockquote key={key}>{blocksIn(quoted, depth + 1)}</blockquote>);
		} else if (/^\s*\|.*\|\s*$/.test(line)) {
			blocks.push(<pre key={key}>{take(one => /^\s*\|.*\|\s*$/.test(one)).join('\n')}</pre>);
		} else if (listPattern.test(line)) {
			blocks.push(<List key={key} lines={take(one => listPattern.test(one) || /^\s+\S/.test(one))} />);
		} else {
			const words = take(
				one =>
					one.trim() !== '' &&
					!/^(#{1,6}\s|\s*>)/.test(one) &&
					!listPattern.test(one) &&
					!fencePattern.test(one),
			);
			blocks.push(<p key={key}>{spansIn(words.join('\n'))}</p>);
		}
	}
	return blocks;
};

/** A list whose entries keep their depth. */
const List = ({lines}: {lines: readonly string[]}) => (
	<ul>
		{lines.map((line, index) => {
			const [, indent = '', number, text = line.trim()] = listPattern.exec(line) ?? [];
			const isNew = listPattern.test(line);
			return (
				// biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name.
				<li key={index} class={`${indent.length > 1 ? 'deep' : ''}${isNew ? '' : ' more'}`}>
					{number === undefined ? null : `${number}. `}
					{spansIn(text)}
				</li>
			);
		})}
	</ul>
);

const spanPattern =
	/(`+)(.+?)\1(?!`)|\*\*(?=\S)(.+?\S?)\*\*|(?<![\w*])\*(?=\S)([^*]+?)\*(?![\w*])|(?<!\w)_(?=\S)([^_]+?)_(?!\w)|!?\[([^\]]{1,500})\]\(([^()\s]{1,2000})\)/g;

const spansIn = (line: string): readonly ComponentChildren[] => {
	const spans: ComponentChildren[] = [];
	let end = 0;
	for (const found of line.matchAll(spanPattern)) {
		const [whole, , code, strong, star, underscore, link, address] = found;
		const key = found.index;
		if (key > end) spans.push(line.slice(end, key));
		end = key + whole.length;
		if (code !== undefined) spans.push(<code key={key}>{code.trim() || code}</code>);
		else if (strong !== undefined) spans.push(<b key={key}>{strong}</b>);
		else if (link !== undefined) spans.push(link === address ? link : `${link} (${address})`);
		else spans.push(<em key={key}>{star ?? underscore}</em>);
	}
	spans.push(line.slice(end));
	return spans;
};
