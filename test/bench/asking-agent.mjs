// Asks one question after the other by hive's server. Notes each with its time on the monotonic clock.
import {appendFileSync} from 'node:fs';
import {setTimeout as pause} from 'node:timers/promises';
import {Client} from '@modelcontextprotocol/client';
import {StdioClientTransport} from '@modelcontextprotocol/client/stdio';

const [file, rounds] = process.argv.slice(2);
const note = (round, what) => {
	const at = Number(process.hrtime.bigint()) / 1e6;
	appendFileSync(file, `${JSON.stringify({round, what, at})}\n`);
};
const client = new Client({name: 'agent', version: '1'});
await client.connect(new StdioClientTransport({command: process.env.HIVE, args: ['mcp'], env: process.env}));
for (let round = 0; round < Number(rounds); round++) {
	// The work of the last round is over by then.
	await pause(500);
	note(round, 'asked');
	await client.callTool({name: 'ask_human', arguments: {text: `Colour ${round}?`}}, {timeout: 600_000});
	note(round, 'answered');
}
await client.close();
