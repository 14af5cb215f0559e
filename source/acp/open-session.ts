import {
	type ClientContext,
	type McpServer,
	methods,
	RequestError,
	type SessionConfigOption,
	type SessionModeState,
} from '@agentclientprotocol/sdk/unstable';
import type {AcpRecord} from '../agents/acp/record.ts';

export type SessionWish = {
	readonly cwd: string;
	readonly version: string;
	readonly protocolVersion: number;
	readonly servers: McpServer[];
	/** Its id of the model; absent: the agent's own choice. */
	readonly model?: string | undefined;
	/** A mode that the agent may have, such as `plan`. */
	readonly mode?: string | undefined;
	/** An earlier session. Where the agent cannot take it up, a new one begins. */
	readonly resume?: string | undefined;
	/** A further folder that the agent may write to, if it takes one. */
	readonly folder: string | undefined;
	/** False for an agent that works on the files itself. */
	readonly servesFiles: boolean;
	readonly warn: (text: string) => void;
};

type Opened = {
	readonly sessionId: string;
	readonly modes?: SessionModeState | null | undefined;
	readonly configOptions?: SessionConfigOption[] | null | undefined;
};

/**
 * Agrees on the protocol and opens a session. Throws if the agent speaks another version, or has no such
 * model.
 */
export const openSession = async (
	agent: ClientContext,
	wish: SessionWish,
): Promise<{readonly sessionId: string; readonly record: AcpRecord}> => {
	const {
		agentInfo,
		agentCapabilities = {},
		protocolVersion,
	} = await agent.request(methods.agent.initialize, {
		protocolVersion: wish.protocolVersion,
		clientInfo: {name: 'hive', version: wish.version},
		clientCapabilities: {
			fs: {readTextFile: wish.servesFiles, writeTextFile: wish.servesFiles},
			terminal: false,
		},
	});
	if (protocolVersion !== wish.protocolVersion)
		throw new Error(
			`It speaks version ${protocolVersion} of the Agent Client Protocol; hive speaks version ${wish.protocolVersion}`,
		);
	const {resume, additionalDirectories} = agentCapabilities.sessionCapabilities ?? {};
	const opened = await open(agent, wish, {
		canResume: resume != null,
		canLoad: agentCapabilities.loadSession === true,
		...(additionalDirectories != null && wish.folder !== undefined && {additionalDirectories: [wish.folder]}),
	});
	const {sessionId, modes} = opened;
	const model = await chooseModel(agent, wish.model, opened);
	if (wish.mode !== undefined) {
		const isThere = modes?.availableModes.some(({id}) => id === wish.mode) === true;
		if (isThere) await agent.request(methods.agent.session.setMode, {sessionId, modeId: wish.mode});
		else wish.warn(`The agent has no mode "${wish.mode}".`);
	}
	const name = agentInfo && `${agentInfo.name} ${agentInfo.version}`;
	const record = {type: 'session', id: sessionId, ...(name && {agent: name}), ...(model && {model})} as const;
	return {sessionId, record};
};

const open = async (
	agent: ClientContext,
	{cwd, servers: mcpServers, resume, warn}: SessionWish,
	{canResume, canLoad, ...more}: {canResume: boolean; canLoad: boolean; additionalDirectories?: string[]},
): Promise<Opened> => {
	const begin = () => agent.request(methods.agent.session.new, {cwd, mcpServers, ...more});
	if (resume === undefined) return begin();
	if (!canResume && !canLoad) {
		warn('The agent cannot take up an earlier session; a new one begins.');
		return begin();
	}
	const {session} = methods.agent;
	const earlier = {cwd, mcpServers, sessionId: resume, ...more};
	try {
		const opened = canResume
			? await agent.request(session.resume, earlier)
			: await agent.request(session.load, earlier);
		return {...(opened ?? {}), sessionId: resume};
	} catch (error) {
		if (!(error instanceof RequestError)) throw error;
		warn(`The earlier session cannot be taken up: ${error.message}. A new one begins.`);
		return begin();
	}
};

/** Sets the model where one is wanted. Returns the one that is used, if the agent says it. */
const chooseModel = async (
	agent: ClientContext,
	wanted: string | undefined,
	{sessionId, configOptions}: Opened,
): Promise<string | undefined> => {
	const option = (configOptions ?? []).find(({category, id}) => category === 'model' || id === 'model');
	const current = option?.type === 'select' ? option.currentValue : undefined;
	if (wanted === undefined || wanted === current) return current;
	if (option?.type !== 'select')
		throw new Error(`The agent offers no choice of models; "${wanted}" is wanted`);
	const offered = option.options.flatMap(one => ('value' in one ? [one] : one.options));
	const found = offered.find(({value, name}) => value === wanted || name === wanted);
	if (found === undefined)
		throw new Error(
			`The agent does not offer the model "${wanted}". It offers ${offered.map(({value}) => value).join(', ')}`,
		);
	await agent.request(methods.agent.session.setConfigOption, {
		...{sessionId, configId: option.id, value: found.value},
	});
	return found.value;
};
