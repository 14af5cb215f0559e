import {parseObject} from '../domain/json.ts';
import {type Redactor, redactionMargin} from '../domain/redact.ts';
import type {Usage} from '../domain/run.ts';
import {given} from './json.ts';
import {type Limit, limitIn, limitInErrors} from './limits.ts';
import {shortened} from './readable-lines.ts';
import type {Cause, Said, StreamReader} from './said.ts';
import {createStream, type Heard} from './stream.ts';
import {createUsageSum} from './usage-sum.ts';

/** What a tool said in all, from its output. */
export type AgentOutput = {
	/** The agent's last words; empty when it said nothing. */
	readonly summary: string;
	readonly usage?: Usage;
	/** Why the run failed as the tool itself says, in words for people; absent when it reported nothing bad. */
	readonly error?: string;
	/** That it failed because of a limit that time ends; only where it failed. */
	readonly limit?: Limit;
};

/** How the stream of a tool is summed up. */
export type Summing = {
	/** What it prints, record by record; absent where that is plain text. */
	readonly read?: StreamReader;
	/** Marks where the usage comes from (docs/rules.md §8). */
	readonly source: string;
	/** A stream that is whole says how it ended. */
	readonly saysEnd?: true;
	/** Lines of plain text that are not the tool's own words. */
	readonly isForeign?: (line: string) => boolean;
};

/** Sums up what a tool prints, as it comes, in bounded memory. */
export type Sum = {
	readonly push: (part: Uint8Array) => void;
	/**
	 * @param isWell the program ended as one that is done does
	 * @param at when it ended, RFC 3339; without it no limit says until when
	 */
	readonly end: (isWell: boolean, at?: string) => AgentOutput;
};

/** Of longer plain text the end is the summary, in characters. */
const longestPlain = 16 * 1024;
/** And of words. */
const longestWords = 256 * 1024;
/** A text that may be one JSON object over several lines, in characters. */
const longestObject = 1024 * 1024;
/** Of plain text these lines at the end may say why it ended. */
const lastLines = 5;
/** Who says so was not refused for good. */
const progress: readonly Said['says'][] = ['words', 'piece', 'tool', 'result', 'failure'];

/** @param redact of what is cut; the rest is left in */
export const createSum = (
	{read, source, saysEnd, isForeign}: Summing,
	redact: Redactor = text => text,
): Sum => {
	const stream = createStream(read, redact);
	const usage = createUsageSum();
	const plain = createPlainText(redact);
	let words = '';
	let parts = '';
	let denial = '';
	let session: {id?: string; model?: string} = {};
	let end: Extract<Said, {says: 'end'}> | undefined;
	let isRead = false;
	/** What its provider refused last, unless it went on. */
	let refused: Cause | undefined;

	const endOf = (text: string): string =>
		text.length <= longestWords ? text : redact(text).slice(-longestWords);
	const flush = (): void => {
		if (parts.trim() !== '') words = endOf(parts.trim());
		parts = '';
	};
	const hear = (said: Said): void => {
		isRead ||= said.says !== 'line';
		if (progress.includes(said.says)) refused = undefined;
		switch (said.says) {
			case 'line':
				if (!isForeign?.(said.text)) plain.add(said.text, said.isOpen === true);
				return;
			case 'usage':
				return usage.add(said);
			case 'session':
				session = {...session, ...given({id: said.id, model: said.model})};
				return;
			case 'piece':
				parts += said.text;
				if (parts.length > 2 * longestWords) parts = endOf(parts);
				return;
			case 'words':
				flush();
				if (said.text.trim() !== '') words = endOf(said.text.trim());
				return;
			case 'end':
				flush();
				end = said;
				if (said.error === undefined) refused = undefined;
				return;
			case 'failure':
				flush();
				if (said.isDenied) denial = shortened(redact(said.text));
				return;
			case 'limit':
				refused = said.cause;
				return;
			default:
				flush();
		}
	};
	const take = (heard: readonly Heard[]): void => {
		for (const {said} of heard) hear(said);
	};
	/** What is one JSON object over several lines was no record by itself. */
	const readWhole = (): void => {
		const record = isRead || read === undefined ? undefined : parseObject(plain.whole());
		for (const said of (record && read?.(record)) ?? []) hear(said);
	};
	const errorOf = (isWell: boolean): string | undefined => {
		if (end !== undefined) return end.error;
		if (!isRead || !saysEnd || !isWell) return undefined;
		return denial === '' ? unended : `${unended}; a tool was denied: ${denial}`;
	};
	/** A script is no agent tool, whatever it prints. */
	const limitOf = (at: string | undefined): Limit | undefined => {
		if (read === undefined) return undefined;
		return isRead
			? limitIn(end?.error ?? '', {at}, {...refused, ...end?.cause})
			: limitInErrors(plain.end().split('\n').slice(-lastLines).join('\n'), {at});
	};
	return {
		push: part => take(stream.push(part)),
		end: (isWell, at) => {
			take(stream.end());
			readWhole();
			flush();
			const said = end?.words?.trim() || words;
			const error = errorOf(isWell);
			const isFailed = error !== undefined || !isWell;
			const used = usage.total();
			const {id, model} = session;
			return {
				summary: isRead ? said : plain.end(),
				...given({error, limit: isFailed ? limitOf(at) : undefined}),
				...((used ?? id) && {usage: {...used, ...given({model, toolSession: id}), source}}),
			};
		},
	};
};

const unended = 'it stopped before it was done';

/** The end of plain text, and its whole while that is short. */
const createPlainText = (redact: Redactor) => {
	let text = '';
	let isCut = false;
	return {
		add: (line: string, isOpen: boolean): void => {
			text += isOpen ? line : `${line}\n`;
			if (text.length <= longestObject) return;
			text = text.slice(-longestPlain - redactionMargin);
			isCut = true;
		},
		whole: (): string => (isCut ? '' : text),
		end: (): string => {
			const trimmed = text.trim();
			if (!isCut && trimmed.length <= longestPlain) return trimmed;
			const end = redact(trimmed).slice(-longestPlain);
			// Whole lines where there are any.
			return `… (stdout.log has the rest)\n${end.slice(end.indexOf('\n') + 1).trim()}`;
		},
	};
};
