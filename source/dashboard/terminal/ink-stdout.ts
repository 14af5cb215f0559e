import type {Size} from '../store/state.ts';
import {toAscii} from './ascii.ts';

/**
 * The terminal as Ink draws on it. It keeps its size for as long as it is drawn on, and says nothing of resizes: at a lower
 * one Ink would clear the screen and the lines scrolled out above it. Who resizes mounts anew.
 */
export const inkStdout = (
	stdout: NodeJS.WriteStream,
	{columns, rows}: Size,
	isAscii: boolean,
): NodeJS.WriteStream =>
	new Proxy(stdout, {
		get: (target, name) => {
			if (name === 'columns') return columns;
			if (name === 'rows') return rows;
			if (name === 'on' || name === 'off') return () => target;
			if (name === 'write' && isAscii)
				return (text: string, done?: () => void) => target.write(toAscii(text), done);
			const value = Reflect.get(target, name);
			return typeof value === 'function' ? value.bind(target) : value;
		},
	});
