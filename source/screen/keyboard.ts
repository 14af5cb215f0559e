import type {Terminal} from '@xterm/headless';
import {first} from './parameters.ts';

/** A program's requests to the keyboard that xterm does not track. */
export type Keyboard = {
	/** Returns sequences that request the same key flags from a fresh terminal, for one of its two screens. */
	readonly flags: (isAlternate: boolean) => string;
	/** Returns the formats of modified keys (modifyOtherKeys and its kin), which both screens share. */
	readonly formats: () => string;
	readonly reset: () => void;
};

const maxDepth = 16;
const maxFlags = 31;
type Stack = {flags: number; below: number[]};

export const trackKeyboard = (terminal: Terminal): Keyboard => {
	let normal: Stack = {flags: 0, below: []};
	let alternate: Stack = {flags: 0, below: []};
	const formats = new Map<number, number | 'off'>();
	const stack = (): Stack => (terminal.buffer.active.type === 'alternate' ? alternate : normal);

	terminal.parser.registerCsiHandler({prefix: '>', final: 'u'}, parameters => {
		const now = stack();
		now.below = [...now.below, now.flags].slice(-maxDepth);
		now.flags = first(parameters) & maxFlags;
		return false;
	});
	terminal.parser.registerCsiHandler({prefix: '<', final: 'u'}, parameters => {
		const now = stack();
		for (let count = Math.min(first(parameters) || 1, maxDepth + 1); count > 0; count--)
			now.flags = now.below.pop() ?? 0;
		return false;
	});
	terminal.parser.registerCsiHandler({prefix: '=', final: 'u'}, parameters => {
		const now = stack();
		const flags = first(parameters) & maxFlags;
		const mode = parameters[1] ?? 1;
		if (mode === 1) now.flags = flags;
		else if (mode === 2) now.flags |= flags;
		else if (mode === 3) now.flags &= ~flags;
		return false;
	});
	terminal.parser.registerCsiHandler({prefix: '>', final: 'm'}, parameters => {
		const [resource, value] = parameters;
		if (typeof resource !== 'number' || resource > 7) return false;
		if (typeof value === 'number') formats.set(resource, value);
		else if (resource === 0) formats.clear();
		else formats.delete(resource);
		return false;
	});
	terminal.parser.registerCsiHandler({prefix: '>', final: 'n'}, parameters => {
		const resource = first(parameters);
		if (resource <= 7) formats.set(resource, 'off');
		return false;
	});
	return {
		flags: isAlternate => formatFlagsRequest(isAlternate ? alternate : normal),
		formats: () =>
			[...formats]
				.map(([resource, value]) => (value === 'off' ? `\x1b[>${resource}n` : `\x1b[>${resource};${value}m`))
				.join(''),
		reset: () => {
			normal = {flags: 0, below: []};
			alternate = {flags: 0, below: []};
			formats.clear();
		},
	};
};

const formatFlagsRequest = ({flags, below}: Stack): string => {
	const [lowest = 0, ...above] = [...below, flags];
	return (lowest === 0 ? '' : `\x1b[=${lowest};1u`) + above.map(value => `\x1b[>${value}u`).join('');
};
