import {accepted, type Outcome, refuse} from '../domain/errors.ts';
import type {ChatSettings, Host} from '../host/host.ts';
import type {Context} from './context.ts';

/**
 * The settings of `chat.yaml`, and the opened colony. Refused if the chat is not enabled, and inside a run.
 */
export const openChat = async (
	host: Host,
): Promise<Outcome<{readonly settings: ChatSettings; readonly context: Context}>> => {
	const settings = await host.chat();
	if (settings === undefined) return notEnabled;
	const context = await host.open();
	return context.insideRun === undefined ? accepted({settings, context}) : refuse('not_for_agents');
};

const notEnabled = refuse('invalid_config', {
	message: 'No chat is enabled on this machine.',
	hint: 'Write chat.yaml beside config.yaml with "enabled: true" and a bot token; see the readme.',
});
