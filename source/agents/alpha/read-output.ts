import type {Usage} from '../../domain/run.ts';
import {contentText} from '../content.ts';
import {errorIn} from '../error-in.ts';
import {isRecord, readJson} from '../json-lines.ts';
import {type AgentOutput, exitError} from '../output.ts';

/** The marker that the interface gives to usage from alpha's stream (docs/rules.md §8). */
const usageSource = 'cursor.stream-json';

/**
 * Reads what alpha printed: a stream of JSON lines whose `result` line carries the final text and the usage, or plain
 * text. Other lines, torn ones included, are passed over. A `result` that reports an error fails the run, whatever
 * its exit code.
 */
export const readAlphaOutput = (stdout: string, exitCode: number): AgentOutput => {
	const records = readJson(stdout);
	const result = records.findLast(({type}) => type === 'result');
	if (result === undefined)
		return {
			summary: records.length === 0 ? stdout.trim() : lastAssistantText(records),
			...exitError(exitCode),
		};
	const text = typeof result.result === 'string' ? result.result.trim() : '';
	const usage = usageOf(result.usage);
	return {
		summary: text || lastAssistantText(records),
		...(usage && {usage}),
		...errorOf(result, exitCode),
	};
};

type Json = Readonly<Record<string, unknown>>;

/** Any subtype but success is an error. */
const errorOf = (result: Json, exitCode: number): {error?: string} => {
	const {subtype} = result;
	const isError = typeof subtype === 'string' && subtype !== 'success';
	const reported = errorIn(isError ? {...result, is_error: true} : result);
	return reported === undefined ? exitError(exitCode) : {error: reported};
};

const lastAssistantText = (records: readonly Json[]): string =>
	records.map(assistantText).findLast(text => text !== '') ?? '';

const assistantText = ({type, message}: Json): string =>
	type === 'assistant' && isRecord(message) ? contentText(message.content) : '';

/** Both spellings in use: alpha's own, and that of tools which stream in the same form. */
const usageOf = (value: unknown): Usage | undefined => {
	if (!isRecord(value)) return undefined;
	const count = (...names: string[]): number | undefined => {
		const found = names.map(name => value[name]).find(amount => amount !== undefined);
		return typeof found === 'number' && Number.isSafeInteger(found) && found >= 0 ? found : undefined;
	};
	const counts = Object.entries({
		inputTokens: count('inputTokens', 'input_tokens'),
		outputTokens: count('outputTokens', 'output_tokens'),
		cacheReadTokens: count('cacheReadTokens', 'cache_read_input_tokens'),
		cacheWriteTokens: count('cacheWriteTokens', 'cache_creation_input_tokens'),
	}).filter(([, amount]) => amount !== undefined);
	return counts.length === 0 ? undefined : {...Object.fromEntries(counts), source: usageSource};
};
