import {readFileSync} from 'node:fs';
import {containedMark} from '../../domain/containment.ts';
import {isName} from '../../domain/ids.ts';
import {parseObject} from '../../domain/json.ts';

/**
 * Returns the run in whose containment this process is. Its ancestors outside cannot be seen from there, so
 * hive has laid a file where nothing outside can be.
 */
export const readMark = (): {readonly traceId: string; readonly agentId: string} | undefined => {
	let text: string;
	try {
		text = readFileSync(containedMark, 'utf8');
	} catch {
		return undefined;
	}
	const {traceId, agentId} = parseObject(text) ?? {};
	return typeof traceId === 'string' && typeof agentId === 'string' && isName(traceId) && isName(agentId)
		? {traceId, agentId}
		: undefined;
};
