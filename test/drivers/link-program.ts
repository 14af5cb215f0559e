import {openLink, serveLinks} from '../../source/drivers/private-socket/links.ts';

/**
 * `node program serve <socket>` prints `serving`, and serves links until its input ends. `node program ask
 * <socket>` prints what the server sends, or `nothing`.
 */
const [what, socket = ''] = process.argv.slice(2);

const serve = async (): Promise<void> => {
	const stop = await serveLinks(socket, link => {
		link.send(Buffer.from('served'));
		link.end();
	});
	process.stdout.write('serving\n');
	process.stdin.resume().on('end', () => void stop());
};

const ask = async (): Promise<void> => {
	const link = await openLink(socket);
	if (link === undefined) process.stdout.write('nothing');
	link?.onData(bytes => void process.stdout.write(bytes));
};

await (what === 'serve' ? serve() : ask());
