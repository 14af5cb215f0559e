// Runs scripts of package.json at the same time: "node test/together.mjs lint types". Prints what each says
// once it ends, and fails when one of them does.
import {spawn} from 'node:child_process';
import {text} from 'node:stream/consumers';

const run = async script => {
	const child = spawn('npm', ['run', '--silent', script], {stdio: ['ignore', 'pipe', 'pipe']});
	const ended = new Promise(resolve => child.on('close', resolve));
	const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
	const code = await ended;
	process.stdout.write(`${code === 0 ? 'passed' : 'FAILED'}: ${script}\n${code === 0 ? '' : out + err}`);
	return code === 0;
};

const results = await Promise.all(process.argv.slice(2).map(run));
process.exitCode = results.includes(false) ? 1 : 0;
