import type {Terminal} from '@xterm/headless';
import type {Core} from './xterm-core.ts';

type Link = {readonly id: string | undefined; readonly uri: string};
export type Links = {readonly get: (number: number) => Link | undefined};

const maxLinks = 2048;
const maxLinkLength = 2048;

/**
 * Keeps the links that cells refer to by number, the newest 2048. xterm's own table has one entry for each
 * row of each link, without a bound. It also loses an open link when its row is erased.
 */
export const keepLinks = (terminal: Terminal, core: Core): Links => {
	const links = new Map<number, Link>();
	const numbers = new Map<string, number>();
	let newest = 0;

	const numberOf = (link: Link): number => {
		const key = `${link.id ?? ''};${link.uri}`;
		const number = numbers.get(key) ?? ++newest;
		numbers.delete(key);
		links.delete(number);
		numbers.set(key, number);
		links.set(number, link);
		for (const [oldKey, oldNumber] of numbers) {
			if (numbers.size <= maxLinks) break;
			numbers.delete(oldKey);
			links.delete(oldNumber);
		}
		return number;
	};
	terminal.parser.registerOscHandler(8, data => {
		const [, parameters = '', uri = ''] = /^([^;]*);(.*)$/su.exec(data) ?? [];
		const id = /(?:^|:)id=([^:]+)/u.exec(parameters)?.[1];
		const urlId = uri === '' || data.length > maxLinkLength ? 0 : numberOf({id, uri});
		const pen = core._inputHandler._curAttrData;
		pen.extended = Object.assign(pen.extended.clone(), {urlId});
		pen.updateExtended();
		return true;
	});
	return {get: number => links.get(number)};
};
