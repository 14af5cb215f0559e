import type {Place} from './tools.ts';

const longestRecord = 8192;
const longestList = 12;
const longestEnd = 2048;

/** What was printed, with the places of every machine, and the long lists of a huge record cut short. */
export const asRecorded = (printed: string, place: Place): string => {
	let result = printed;
	for (const [known, said] of placesOf(place)) result = result.replaceAll(known, said);
	return result
		.split('\n')
		.map(line => (line.length > longestRecord ? shortened(line) : line))
		.join('\n');
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

const shortened = (line: string): string => {
	try {
		return JSON.stringify(JSON.parse(line), (_, value) =>
			Array.isArray(value) ? value.slice(0, longestList) : value,
		);
	} catch {
		return line;
	}
};

export const lastOf = (text: string): string => text.slice(-longestEnd);
