import {allow, deny, formatAct} from '../domain/question.ts';
import {actOf} from './act.ts';
import {ask, laterWords} from './ask.ts';
import type {RunChannel} from './run-channel.ts';

/** What an agent tool wants to do: its tool's name, and the arguments. */
export type Wish = {readonly tool: string; readonly input: Readonly<Record<string, unknown>>};

/** `hasWords`: a person wrote the message. */
export type Decision =
	| {readonly isAllowed: true}
	| {readonly isAllowed: false; readonly message: string; readonly hasWords?: true};

/** True if a person has allowed exactly this act for good. */
export const isKept = async (channel: RunChannel, {tool, input}: Wish): Promise<boolean> => {
	const act = actOf(tool, input);
	return act.input !== undefined && channel.isAllowed(act.tool, act.input);
};

/** Asks a person for one act, unless a person has allowed exactly this act for good. */
export const decidePermission = async (
	channel: RunChannel,
	{tool, input}: Wish,
	signal: AbortSignal,
): Promise<Decision> => {
	if (await isKept(channel, {tool, input})) return {isAllowed: true};
	const act = actOf(tool, input);
	const asked = await ask(
		channel,
		{text: `May I use ${formatAct(act)}`, options: [allow, deny], source: 'permission', act},
		signal,
	);
	if (asked.state !== 'answered')
		return {isAllowed: false, message: asked.state === 'refused' ? asked.reason : laterWords};
	const {option, text} = asked.answer;
	if (option === allow) return {isAllowed: true};
	return text ? {isAllowed: false, message: text, hasWords: true} : {isAllowed: false, message: denied};
};

const denied = 'A person denied it.';
