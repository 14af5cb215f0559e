import {isMap, parseDocument} from 'yaml';

/**
 * Sets or removes the bus address in the text of a `config.yaml`. All else stays, including comments. A
 * removed address becomes `last_url` if there are other settings, since these are only for its servers.
 */
export const withBusUrl = (text: string, url: string | undefined): string => {
	const document = parseDocument(text);
	const key = document.has('nats') && !document.has('bus') ? 'nats' : 'bus';
	const bus = document.get(key);
	if (url !== undefined && isMap(bus)) {
		bus.set('url', url);
		bus.delete('last_url');
	} else if (url !== undefined) document.set(key, document.createNode({url}));
	else if (isMap(bus) && bus.items.some(({key: name}) => !addresses.includes(String(name)))) {
		if (bus.get('url')) bus.set('last_url', bus.get('url'));
		bus.delete('url');
	} else document.delete(key);
	// Unfolded lines: commands that must start fast read one line of the file.
	return document.toString({lineWidth: 0});
};

const addresses = ['url', 'last_url'];
