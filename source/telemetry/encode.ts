import type {Attribute, Span} from './spans.ts';

/** The body of an OTLP/HTTP request in JSON: ids in hex, 64-bit numbers as text. */
export const encodeSpans = (
	spans: readonly Span[],
	{resource, version}: {readonly resource: Readonly<Record<string, string>>; readonly version: string},
): string =>
	JSON.stringify({
		resourceSpans: [
			{
				resource: {
					attributes: encodeAttributes({'service.name': 'hive', 'service.version': version, ...resource}),
				},
				scopeSpans: [{scope: {name: 'hive', version}, spans: spans.map(encodeSpan)}],
			},
		],
	});

/** The numbers of the protocol. */
const internalKind = 1;
const statusCodes = {unset: 0, ok: 1, error: 2} as const;

const encodeSpan = ({start, end, status, message, attributes, ...ids}: Span) => ({
	...ids,
	kind: internalKind,
	startTimeUnixNano: nanoseconds(start),
	endTimeUnixNano: nanoseconds(end),
	attributes: encodeAttributes(attributes),
	status: {code: statusCodes[status], ...(message !== undefined && {message})},
});

/** Times are in milliseconds, so that six zeros make them nanoseconds without losing digits. */
const nanoseconds = (time: string): string => `${Date.parse(time)}000000`;

const encodeAttributes = (attributes: Readonly<Record<string, Attribute>>) =>
	Object.entries(attributes).map(([key, value]) => ({key, value: encodeValue(value)}));

const encodeValue = (value: Attribute) => {
	if (typeof value === 'string') return {stringValue: value};
	if (typeof value === 'boolean') return {boolValue: value};
	return Number.isInteger(value) ? {intValue: String(value)} : {doubleValue: value};
};
