/** Where spans are sent, from the standard variables of OpenTelemetry. */
export type TelemetrySettings = {
	/** Address that takes spans as OTLP/HTTP. */
	readonly url: string;
	readonly headers: Readonly<Record<string, string>>;
	/** Maximum time of one request, in milliseconds. */
	readonly timeoutMs: number;
	/** Attributes of the resource, with `service.name`. */
	readonly resource: Readonly<Record<string, string>>;
};

type Environment = Readonly<Record<string, string | undefined>>;

const defaultTimeoutMs = 10_000;

/** True if the environment names a collector, so that spans are sent and agents get a `TRACEPARENT`. */
export const isTraced = (environment: Environment): boolean =>
	environment.OTEL_SDK_DISABLED?.toLowerCase() !== 'true' &&
	environment.OTEL_TRACES_EXPORTER?.toLowerCase() !== 'none' &&
	endpointIn(environment) !== '';

/**
 * Reads the settings. Undefined if no collector is named. A problem is a sentence: the address or the
 * protocol cannot be used.
 */
export const readTelemetry = (
	environment: Environment,
): TelemetrySettings | {readonly problem: string} | undefined => {
	if (!isTraced(environment)) return undefined;
	const url = parseUrl(endpointIn(environment));
	if (url === undefined)
		return {
			problem:
				'No spans are sent: the OTLP endpoint has to be an http or https address without a login. A login goes into OTEL_EXPORTER_OTLP_HEADERS.',
		};
	const protocol = variable(environment, 'PROTOCOL');
	if (protocol === 'grpc')
		return {
			problem:
				'No spans are sent: hive sends OTLP over HTTP, and OTEL_EXPORTER_OTLP_PROTOCOL says grpc. Set it to http/json, with the HTTP port of the collector.',
		};
	const timeoutMs = Number(variable(environment, 'TIMEOUT'));
	return {
		url,
		headers: pairsIn(variable(environment, 'HEADERS')),
		timeoutMs: Number.isFinite(timeoutMs) && timeoutMs > 0 ? timeoutMs : defaultTimeoutMs,
		resource: {
			...pairsIn(environment.OTEL_RESOURCE_ATTRIBUTES ?? ''),
			...(environment.OTEL_SERVICE_NAME && {'service.name': environment.OTEL_SERVICE_NAME}),
		},
	};
};

/** The address for spans is used as it is; the general one gets the path of spans. */
const endpointIn = ({
	OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: ofSpans,
	OTEL_EXPORTER_OTLP_ENDPOINT: general,
}: Environment): string => ofSpans || (general ? general.replace(/\/*$/, '/v1/traces') : '');

const parseUrl = (text: string): string | undefined => {
	if (!URL.canParse(text)) return undefined;
	const {protocol, href, username, password} = new URL(text);
	// `fetch` refuses an address with a login.
	return /^https?:$/.test(protocol) && username === '' && password === '' ? href : undefined;
};

/** A variable for spans wins over the general one. */
const variable = (environment: Environment, name: string): string =>
	environment[`OTEL_EXPORTER_OTLP_TRACES_${name}`] || environment[`OTEL_EXPORTER_OTLP_${name}`] || '';

/** Reads `a=b,c=d`, with percent-encoded values. A pair that cannot be read is left out. */
const pairsIn = (text: string): Record<string, string> =>
	Object.fromEntries(
		text.split(',').flatMap(pair => {
			const [name = '', ...rest] = pair.split('=');
			const value = decode(rest.join('=').trim());
			return name.trim() === '' || rest.length === 0 || value === undefined ? [] : [[name.trim(), value]];
		}),
	);

const decode = (text: string): string | undefined => {
	try {
		return decodeURIComponent(text);
	} catch {
		return undefined;
	}
};
