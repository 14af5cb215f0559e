/** What the launcher's program says (launcher-program.ts): a line, and after some of them bytes. */
export type Answer = {
	readonly id: string;
	readonly word: string;
	readonly rest: string;
	/** What another program has written; in parts of any size. */
	readonly bytes?: Buffer;
};

/** Takes what comes through the pipe, in whatever pieces, and tells the answers in it. */
export const splitAnswers = (tell: (answer: Answer) => void): ((chunk: Buffer) => void) => {
	let inbox: Buffer = Buffer.alloc(0);
	/** Whose bytes come now, and how many. */
	let awaited: {readonly id: string; readonly word: string; left: number} | undefined;
	const takeBytes = (): boolean => {
		if (awaited === undefined || inbox.length === 0) return false;
		const bytes = inbox.subarray(0, awaited.left);
		inbox = inbox.subarray(bytes.length);
		awaited.left -= bytes.length;
		tell({id: awaited.id, word: awaited.word, rest: '', bytes});
		if (awaited.left === 0) awaited = undefined;
		return true;
	};
	const takeLine = (): boolean => {
		const end = awaited === undefined ? inbox.indexOf('\n') : -1;
		if (end < 0) return false;
		const line = inbox.toString('utf8', 0, end);
		inbox = inbox.subarray(end + 1);
		const [, id = '', word = '', rest = ''] = /^(\S+) (\S+) ?(.*)$/.exec(line) ?? [];
		if (word === 'out' || word === 'err') awaited = {id, word, left: Number(rest)};
		else tell({id, word, rest});
		return true;
	};
	return chunk => {
		inbox = inbox.length === 0 ? chunk : Buffer.concat([inbox, chunk]);
		while (takeBytes() || takeLine());
	};
};
