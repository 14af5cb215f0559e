import type {SessionUpdate, ToolCallUpdate} from '@agentclientprotocol/sdk/unstable';
import {type AcpRecord, maxAcpText} from '../agents/acp/record.ts';

/** A tool call as far as the agent has described it. */
export type KnownCall = Pick<
	ToolCallUpdate,
	'title' | 'name' | 'kind' | 'content' | 'locations' | 'rawInput'
> & {
	readonly id: string;
	readonly isStarted?: true;
	readonly isDenied?: true;
	/** Its output as written last. */
	readonly output?: string;
};

/** Maximum number of calls that are open at a time. */
const maxCalls = 256;

/** Turns what an agent reports into records, in bounded memory. */
export const createUpdates = () => {
	const calls = new Map<string, KnownCall>();
	/** Calls that have ended. Some agents still describe them. */
	const over = new Set<string>();
	let message: string | undefined;
	let costUsd: number | undefined;

	const keep = (call: KnownCall): KnownCall => {
		calls.delete(call.id);
		const [oldest] = calls.keys();
		if (calls.size >= maxCalls && oldest !== undefined) calls.delete(oldest);
		calls.set(call.id, call);
		return call;
	};
	const noteEnd = (id: string): void => {
		const [oldest] = over;
		if (over.size >= maxCalls && oldest !== undefined) over.delete(oldest);
		over.add(id);
	};
	/** The call is written once its input is known, or it begins. */
	const begin = (call: KnownCall, status: string | null | undefined): readonly AcpRecord[] => {
		const isOver = status === 'completed' || status === 'failed';
		// Some agents name the command only after the call has begun.
		const isAwaited = call.kind === 'execute' ? ownCommandOf(call) === undefined : !hasInput(call);
		const isPending =
			!isOver && isAwaited && (call.kind === 'execute' || (status ?? 'pending') === 'pending');
		if (call.isStarted || isPending) return [];
		keep({...call, isStarted: true});
		return [{type: 'tool', call: call.id, name: nameOf(call), input: inputOf(call)}];
	};
	const takeCall = (update: ToolCallUpdate): readonly AcpRecord[] => {
		const {toolCallId: id, status, rawOutput} = update;
		if (over.has(id)) return [];
		const call = keep({...calls.get(id), ...given(update), id});
		const begun = begin(call, status);
		const text = outputOf(call, rawOutput);
		if (status === 'completed' || status === 'failed') {
			calls.delete(id);
			noteEnd(id);
			const record: AcpRecord =
				status === 'failed' || call.isDenied
					? {type: 'failure', call: id, text, ...(call.isDenied && {denied: true})}
					: {
							type: 'result',
							call: id,
							text: [text, ...(call.isStarted ? changesOf(call) : [])].join('\n').trim(),
						};
			return [...begun, record];
		}
		const isBegun = begun.length > 0 || call.isStarted === true;
		if (!isBegun || text === '' || text === call.output) return begun;
		keep({...(calls.get(id) ?? call), output: text});
		return [...begun, {type: 'output', call: id, text}];
	};
	return {
		take: (update: SessionUpdate): readonly AcpRecord[] => {
			switch (update.sessionUpdate) {
				case 'agent_message_chunk': {
					if (update.content.type !== 'text') return [];
					const isNext = message !== undefined && update.messageId != null && update.messageId !== message;
					message = update.messageId ?? message;
					const piece: AcpRecord = {type: 'text', text: cut(update.content.text)};
					return isNext ? [{type: 'message'}, piece] : [piece];
				}
				case 'tool_call':
					over.delete(update.toolCallId);
					return takeCall(update);
				case 'tool_call_update':
					return takeCall(update);
				case 'plan':
					return [
						{
							type: 'plan',
							entries: update.entries.map(({content, status}) => ({content: cut(content), status})),
						},
					];
				case 'usage_update':
					if (update.cost?.currency !== 'USD') return [];
					costUsd = update.cost.amount;
					return [{type: 'usage', costUsd}];
				case 'notice':
					return [
						{type: 'warning', text: cut([update.title, update.description].filter(Boolean).join(': '))},
					];
				default:
					return [];
			}
		},
		/** The call as known now, with what a request says of it. */
		ask: (update: ToolCallUpdate): {readonly call: KnownCall; readonly records: readonly AcpRecord[]} => {
			const id = update.toolCallId;
			over.delete(id);
			const call = keep({...calls.get(id), ...given(update), id});
			return {call, records: begin(call, 'completed')};
		},
		deny: (id: string): void => {
			const call = calls.get(id);
			if (call !== undefined) keep({...call, isDenied: true});
		},
		/** Denied calls that the agent has not ended itself, and the whole usage. */
		finish: (): readonly AcpRecord[] => {
			const denied = [...calls.values()].filter(({isDenied}) => isDenied);
			calls.clear();
			return denied.map(({id}) => ({type: 'failure', call: id, text: 'not permitted', denied: true}));
		},
		cost: (): number | undefined => costUsd,
	};
};

/** The fields that the update has. */
const given = (update: ToolCallUpdate): Partial<KnownCall> =>
	Object.fromEntries(
		(['title', 'name', 'kind', 'content', 'locations', 'rawInput'] as const).flatMap(field =>
			update[field] === undefined || update[field] === null || isEmpty(update[field])
				? []
				: [[field, update[field]]],
		),
	);

const isEmpty = (value: unknown): boolean =>
	typeof value === 'object' && value !== null && Object.keys(value).length === 0;

const hasInput = ({rawInput, locations, content}: KnownCall): boolean =>
	rawInput !== undefined || (locations ?? []).length > 0 || (content ?? []).length > 0;

/** The name of the agent's tool, else the kind of the call. */
export const nameOf = ({name, kind, title}: KnownCall): string => {
	const own = /^mcp__\w+$/.exec(title ?? '')?.[0];
	return (
		name ?? own ?? (kind && kind !== 'other' ? kind : undefined) ?? (cut(title ?? '').slice(0, 80) || 'tool')
	);
};

/** The paths that a call names. */
export const pathsOf = ({locations, content}: KnownCall): readonly string[] => [
	...new Set([
		...(locations ?? []).map(({path}) => path),
		...(content ?? []).flatMap(part => (part.type === 'diff' ? [part.path] : [])),
	]),
];

/** The agent's own input with the path and the first change, where it does not name them. */
export const inputOf = (call: KnownCall): Readonly<Record<string, unknown>> => {
	const raw = call.rawInput;
	const own = typeof raw === 'object' && raw !== null && !Array.isArray(raw) ? {...raw} : {};
	const command = call.kind === 'execute' ? commandOf(call) : undefined;
	const [path] = command === undefined ? pathsOf(call) : [];
	const diff = (call.content ?? []).find(part => part.type === 'diff');
	const isWithout = (...names: readonly string[]): boolean => names.every(name => !(name in own));
	return cutAll({
		...(path !== undefined && isWithout('file_path', 'filePath', 'path', 'command') && {path}),
		...(command !== undefined && isWithout('cmd') && {command}),
		...own,
		...(diff !== undefined &&
			isWithout('old_string', 'content', 'newString') && {
				old_string: diff.oldText ?? '',
				new_string: diff.newText,
			}),
		...(isEmpty(own) &&
			path === undefined &&
			command === undefined &&
			diff === undefined && {title: call.title ?? ''}),
	});
};

const ownCommandOf = ({rawInput}: KnownCall): string | undefined => {
	const {command, cmd} = Object(rawInput);
	const given = command ?? cmd;
	if (Array.isArray(given)) return given.join(' ');
	return typeof given === 'string' ? given : undefined;
};

/** The command of a call that executes one. */
export const commandOf = (call: KnownCall): string | undefined => {
	const {kind, title} = call;
	return ownCommandOf(call) ?? (kind === 'execute' && title ? title.replace(/^`(.*)`$/s, '$1') : undefined);
};

const outputOf = ({content}: KnownCall, rawOutput: unknown): string => {
	const texts = (content ?? []).flatMap(part =>
		part.type === 'content' && part.content.type === 'text' ? [part.content.text] : [],
	);
	if (texts.length > 0) return cut(texts.join('\n'));
	const {output, error, message} = Object(rawOutput);
	return cut([rawOutput, output, error, message].find(one => typeof one === 'string') ?? '');
};

/** The changes of a call, as lines with a sign. */
const changesOf = ({content}: KnownCall): readonly string[] =>
	(content ?? []).flatMap(part => {
		if (part.type !== 'diff') return [];
		const lines = (sign: string, text: string) => text.split('\n').map(line => `${sign}${line}`);
		const before = part.oldText ? lines('-', part.oldText) : [];
		return [cut([part.path, ...before, ...lines('+', part.newText)].join('\n'))];
	});

const cut = (text: string): string => (text.length <= maxAcpText ? text : `${text.slice(0, maxAcpText)}…`);

const cutAll = (input: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
	JSON.parse(JSON.stringify(input, (_, part: unknown) => (typeof part === 'string' ? cut(part) : part)));
