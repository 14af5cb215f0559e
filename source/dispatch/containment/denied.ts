/** Sentences of programs and systems for what was denied. The second group is of the network. */
const denials =
	/read-only file system|permission denied|operation not permitted|\bEROFS\b|\bEACCES\b|\bEPERM\b|(network is unreachable|could not resolve|name resolution|\bENETUNREACH\b|\bEAI_AGAIN\b)/i;

/** A path from the root or the home. It ends at what programs put around paths. */
const paths = /(?:~|(?<![\w.~/-]))\/[^\s'"`\u2018\u2019\u201c\u201d:,;()[\]{}<>|\\]+/g;

/** Records of agent tools escape the line feeds in what a command printed. */
const lineEnds = /\r?\n|\\n/;

const maxLineLength = 2000;
const maxDenied = 1000;

/**
 * What the output of programs says was denied: paths, and the network. It is what they printed, so it can
 * lack something or be made up. Without repeats, in order.
 */
export const deniedIn = (text: string): readonly string[] => {
	const found = new Set<string>();
	for (const line of text.split(lineEnds)) {
		if (line.length > maxLineLength || found.size >= maxDenied) continue;
		const [denial, isNetwork] = denials.exec(line) ?? [];
		if (denial === undefined) continue;
		if (isNetwork !== undefined) found.add('the network');
		else for (const path of lastOf(line.match(paths) ?? [])) found.add(path);
	}
	return [...found];
};

/** A line may name the program by its path before the file. */
const lastOf = (all: readonly string[]): readonly string[] => all.slice(-1);
