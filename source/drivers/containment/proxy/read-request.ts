/** A request to connect, or why it is refused: a status of HTTP with its words. */
export type ProxyRequest =
	| {readonly host: string; readonly port: number}
	| {readonly status: 400 | 405; readonly words: string};

/** Maximum bytes of a request with its headers. */
export const maxRequestBytes = 8192;

/** Only names and IPv4 addresses, since no rule names an IPv6 address. */
const connectForm = /^CONNECT ([A-Za-z0-9.-]{1,255}):(\d{1,5}) HTTP\/1\.[01]$/;

/** Reads the first line of a request. The headers do not count. */
export const readRequest = (head: string): ProxyRequest => {
	const line = head.slice(0, head.indexOf('\r\n'));
	const [, host, digits] = connectForm.exec(line) ?? [];
	const port = Number(digits);
	if (host !== undefined && port >= 1 && port <= 65_535) return {host: host.toLowerCase(), port};
	return /^[A-Z]+ /.test(line) && !line.startsWith('CONNECT ')
		? {status: 405, words: 'Only CONNECT is supported'}
		: {status: 400, words: 'Bad Request'};
};
