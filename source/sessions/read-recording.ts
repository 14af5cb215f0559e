import {join} from 'node:path';
import type {Files} from '../ports/files.ts';
import {createLogReader, linesOf} from '../runs/read-log.ts';
import {type Cast, type CastEvent, readEvent, readHeader} from './cast.ts';

/** Returns the present parts of a recording, oldest first; none if nothing was recorded. */
export const readRecording = async (files: Files, folder: string): Promise<readonly Cast[]> => {
	const casts: Cast[] = [];
	for (const name of await files.list(folder)) {
		const number = /^(\d{6})\.cast$/.exec(name)?.[1];
		const cast = number === undefined ? undefined : await openCast(files, join(folder, name), Number(number));
		if (cast) casts.push(cast);
	}
	return casts;
};

const openCast = async (files: Files, path: string, number: number): Promise<Cast | undefined> => {
	const lines = (): AsyncGenerator<string> => linesOf(createLogReader(files, path).added());
	const first = await lines().next();
	const header = first.done ? undefined : readHeader(first.value);
	return header && {number, header, events: () => eventsIn(lines())};
};

async function* eventsIn(lines: AsyncIterable<string>): AsyncGenerator<CastEvent> {
	for await (const line of lines) {
		const event = readEvent(line);
		if (event) yield event;
	}
}
