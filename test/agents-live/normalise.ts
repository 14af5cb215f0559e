import type {Place} from './tools.ts';

const longestEnd = 2048;

/** What was printed, with places that are the same on every machine. */
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

/** As tools name a folder after the path of another. */
const asFolderName = (path: string): string => path.replaceAll(/[^a-zA-Z0-9]/g, '-');

export const lastOf = (text: string): string => text.slice(-longestEnd);
