import {spawn} from 'node:child_process';
import type {IncomingMessage, ServerResponse} from 'node:http';
import {basename, dirname} from 'node:path';

/** Serves a bare repository by git's own CGI program. */
export const serveGit = (
	bare: string,
	{
		request,
		response,
		service,
		query,
	}: {
		readonly request: IncomingMessage;
		readonly response: ServerResponse;
		/** Path inside of the repository, such as `/info/refs`. */
		readonly service: string;
		readonly query: string;
	},
): Promise<void> =>
	new Promise((resolve, reject) => {
		const {headers, method = 'GET'} = request;
		const child = spawn('git', ['http-backend'], {
			env: {
				PATH: process.env.PATH,
				...{GIT_PROJECT_ROOT: dirname(bare), GIT_HTTP_EXPORT_ALL: '1', GIT_CONFIG_NOSYSTEM: '1'},
				...{GIT_CONFIG_GLOBAL: '/dev/null', REMOTE_USER: 'token', REMOTE_ADDR: '127.0.0.1'},
				...{REQUEST_METHOD: method, QUERY_STRING: query, PATH_INFO: `/${basename(bare)}${service}`},
				CONTENT_TYPE: headers['content-type'] ?? '',
				...(headers['content-length'] && {CONTENT_LENGTH: headers['content-length']}),
				HTTP_CONTENT_ENCODING: headers['content-encoding'] ?? '',
				GIT_PROTOCOL: [headers['git-protocol']].flat().join(),
			},
			stdio: ['pipe', 'pipe', 'inherit'],
		});
		child.once('error', reject);
		// The program may end before it has read all.
		child.stdin.on('error', () => {});
		request.pipe(child.stdin);
		let head = Buffer.alloc(0);
		let isBegun = false;
		child.stdout.on('data', (chunk: Buffer) => {
			if (isBegun) return void response.write(chunk);
			head = Buffer.concat([head, chunk]);
			const end = head.indexOf('\r\n\r\n');
			if (end < 0) return;
			isBegun = true;
			const fields = head
				.subarray(0, end)
				.toString()
				.split('\r\n')
				.map(line => line.split(/:\s*(.*)/s).slice(0, 2) as [string, string]);
			const status = fields.find(([name]) => name === 'Status')?.[1] ?? '200';
			response.writeHead(Number.parseInt(status, 10), Object.fromEntries(fields));
			response.write(head.subarray(end + 4));
		});
		child.once('close', () => {
			response.end();
			resolve();
		});
	});
