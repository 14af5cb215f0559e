import type {Place} from './tools.ts';

const longestEnd = 2048;

/** Returns the output with paths that are the same on every machine. */
export const asRecorded = (printed: string, place: Place): string => {
	let result = printed;
	for (const [known, said] of placesOf(place)) result = result.replaceAll(known, said);
	return result;
};

const placesOf = ({installed, home, model}: Place): readonly (readonly [string, string])[] => [
	[home, '/home/bee'],
	[asFolderName(home), asFolderName('/home/bee')],
	[installed, '/usr/local/lib'],
	[model, 'http://127.0.0.1:8080'],
	[new URL(model).host, '127.0.0.1:8080'],
];

/** Returns the form of a path in a folder name of a tool. */
const asFolderName = (path: string): string => path.replaceAll(/[^a-zA-Z0-9]/g, '-');

export const lastOf = (text: string): string => text.slice(-longestEnd);
