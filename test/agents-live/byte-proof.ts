import {endHolding} from '../chaos/machine.ts';
import {openEmulatedTerminal} from '../helpers/answering-terminal.ts';
import {attachAt, everyNth} from '../screen/attach.ts';
import {differingParts} from '../screen/state-of.ts';
import {answerTo, firstWords} from './conversation.ts';
import {play} from './play.ts';
import {askedOf, type Proof} from './proof.ts';
import {startStandInModel} from './stand-in-model.ts';
import {environmentOf, type Place, prepareHome, type Tool} from './tools.ts';

const size = {columns: 100, rows: 30};

/** Records a tool in its own terminal, and attaches after every `step` bytes of its output. */
export const proveBytes = async (tool: Tool, where: Omit<Place, 'model'>, step: number): Promise<Proof> => {
	const {recording, facts, faults} = await record(tool, where);
	let [attached, different] = [0, 0];
	for (const {when, shown, expected} of attachAt(recording, size, everyNth(recording.length, step))) {
		attached++;
		const parts = differingParts(shown, expected);
		if (parts.length === 0) continue;
		different++;
		faults.push(`${when}: another ${parts.join(', ')}`);
	}
	const points = Math.floor(recording.length / step) + 1;
	facts.push(
		`${recording.length} bytes, attached at ${points} points, every ${step}th byte: ${different} of ${attached} comparisons differ`,
	);
	return {facts, faults};
};

const record = async (tool: Tool, where: Omit<Place, 'model'>) => {
	const model = await startStandInModel(answerTo);
	const place = {...where, model: model.url};
	await prepareHome(tool, place);
	const [program, ...args] = tool.argv(place);
	const terminal = openEmulatedTerminal([program, ...args, firstWords], {
		...{size, env: environmentOf(tool, place), cwd: place.workspace},
	});
	try {
		await play(tool, model, terminal);
		return {recording: terminal.bytes(), ...askedOf(model)};
	} finally {
		terminal.close();
		endHolding(place.home);
		model.close();
	}
};
