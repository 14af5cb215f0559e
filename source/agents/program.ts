import type {AdapterName} from '../colony/colony.ts';
import type {Invocation} from './invocation.ts';
import {textParam} from './params.ts';

/** The tool's program: the bee's `params.binary`, else this machine's `binary`, else the adapter's name. */
export const programOf = (
	adapter: AdapterName,
	{bee, settings}: Pick<Invocation, 'bee' | 'settings'>,
): string => textParam(bee, 'binary') ?? settings.binary ?? adapter;

/** System text and task text, joined by a newline. Empty if both are. */
export const promptOf = ({prompt, system}: Invocation): string => {
	const text = system === undefined ? prompt : `${system}\n${prompt}`;
	return text.trim() === '' ? '' : text;
};
