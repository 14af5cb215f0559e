import type {EmulatedTerminal} from '../helpers/answering-terminal.ts';
import {ends, lastWords, secondWords} from './conversation.ts';
import type {StandInModel} from './stand-in-model.ts';
import type {Tool} from './tools.ts';

/**
 * Talks with a started tool to its end. While the tool streams, `meanwhile` may return another terminal to
 * continue in.
 */
export const play = async (
	tool: Tool,
	model: StandInModel,
	first: EmulatedTerminal,
	meanwhile: (terminal: EmulatedTerminal) => Promise<EmulatedTerminal> = async terminal => {
		model.goOn();
		return terminal;
	},
): Promise<EmulatedTerminal> => {
	await first.until(screen => screen.includes(ends[0]));
	const terminal = await meanwhile(first);
	await terminal.until(screen => screen.includes(ends[1]));
	model.goOn();
	await terminal.until(screen => screen.includes(ends[2]));
	await say(terminal, secondWords);
	await terminal.until(screen => screen.includes(lastWords));
	for (const keys of tool.quit) {
		terminal.type(keys);
		if (keys !== '\r') await terminal.until(screen => screen.includes(keys));
	}
	await terminal.ended;
	return terminal;
};

/** Enter is a separate key: text that arrives together with it counts as a paste. */
const say = async (terminal: EmulatedTerminal, words: string): Promise<void> => {
	terminal.type(words);
	await terminal.until(screen => screen.includes(words));
	terminal.type('\r');
};
