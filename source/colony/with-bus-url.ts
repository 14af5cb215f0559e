import {isMap, parseDocument} from 'yaml';

/** The text of a `config.yaml` that names another bus, or none; everything else in it stays, comments too. */
export const withBusUrl = (text: string, url: string | undefined): string => {
	const document = parseDocument(text);
	const key = document.has('nats') && !document.has('bus') ? 'nats' : 'bus';
	const bus = document.get(key);
	const others = isMap(bus) ? bus.items.length - (bus.has('url') ? 1 : 0) : 0;
	if (url === undefined && others === 0) document.delete(key);
	else if (isMap(bus)) bus.set('url', url ?? '');
	else document.set(key, document.createNode({url: url ?? ''}));
	// Commands that must start fast read one line of it.
	return document.toString({lineWidth: 0});
};
