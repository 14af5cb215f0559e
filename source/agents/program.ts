import type {AdapterName} from '../colony/colony.ts';
import type {Invocation} from './invocation.ts';
import {textParam} from './params.ts';

/**
 * What starts the tool: the bee's `params.binary`, else this machine's `binary`, else the adapter's own name.
 */
export const programOf = (
	adapter: AdapterName,
	{bee, settings}: Pick<Invocation, 'bee' | 'settings'>,
): string => textParam(bee, 'binary') ?? settings.binary ?? adapter;

/** System text and task text are one, joined by a newline; empty when nothing is said. */
export const promptOf = ({prompt, system}: Invocation): string => {
	const text = system === undefined ? prompt : `${system}\n${prompt}`;
	return text.trim() === '' ? '' : text;
};
