// An agent whose tool is another implementation of MCP. It makes the calls of "calls.json" in the folder that
// its argument names, in order, and writes the results beside it, or into a second folder.
import {readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {Client} from '@modelcontextprotocol/client';
import {StdioClientTransport} from '@modelcontextprotocol/client/stdio';

const [folder, ofResults = folder] = process.argv.slice(2);
const calls = JSON.parse(await readFile(join(folder, 'calls.json'), 'utf8'));
const client = new Client({name: 'agent', version: '1'});
await client.connect(new StdioClientTransport({command: process.env.HIVE, args: ['mcp'], env: process.env}));
const results = [];
for (const [name, input] of calls) {
	const {content, isError = false} = await client.callTool({name, arguments: input}, {timeout: 600_000});
	results.push({text: content[0].text, isError});
}
await writeFile(join(ofResults, 'results.json'), JSON.stringify(results));
await client.close();
