import {isMap, parseDocument} from 'yaml';

/** Sets or removes the bus address in the text of a `config.yaml`. All else stays, including comments. */
export const withBusUrl = (text: string, url: string | undefined): string => {
	const document = parseDocument(text);
	const key = document.has('nats') && !document.has('bus') ? 'nats' : 'bus';
	const bus = document.get(key);
	const others = isMap(bus) ? bus.items.length - (bus.has('url') ? 1 : 0) : 0;
	if (url === undefined && others === 0) document.delete(key);
	else if (isMap(bus)) bus.set('url', url ?? '');
	else document.set(key, document.createNode({url: url ?? ''}));
	// Unfolded lines: commands that must start fast read one line of the file.
	return document.toString({lineWidth: 0});
};
