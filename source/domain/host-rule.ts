/** A host that a contained program may reach: `example.com`, `*.example.com`, each with `:port` if so. */
export type HostRule = {
	/** In lower case, without the leading "*". A suffix begins with a dot. */
	readonly host: string;
	/** Absent: 443 and 80. */
	readonly port?: number;
};

/** A host that a contained program asked its proxy for. */
export type AskedHost = {readonly host: string; readonly port: number; readonly allowed: boolean};

export const maxHostRules = 100;
const defaultPorts: readonly number[] = [443, 80];

const label = '[a-z0-9](?:[a-z0-9-]*[a-z0-9])?';
const ruleForm = new RegExp(String.raw`^(\*\.)?(${label}(?:\.${label})*)(?::(\d{1,5}))?$`, 'i');

/** Parses a rule; undefined for another form. */
export const readHostRule = (text: string): HostRule | undefined => {
	const [, isSuffix, name, digits] = (text.length <= 300 && ruleForm.exec(text)) || [];
	if (name === undefined) return undefined;
	const host = `${isSuffix === undefined ? '' : '.'}${name.toLowerCase()}`;
	if (digits === undefined) return {host};
	const port = Number(digits);
	return port >= 1 && port <= 65_535 ? {host, port} : undefined;
};

/** The rule that lets a program reach a host at a port. One that names the host itself comes first. */
export const ruleFor = (rules: readonly HostRule[], host: string, port: number): HostRule | undefined => {
	const name = host.toLowerCase();
	const fits = rules.filter(rule =>
		rule.port === undefined ? defaultPorts.includes(port) : rule.port === port,
	);
	return (
		fits.find(rule => rule.host === name) ??
		fits.find(rule => rule.host.startsWith('.') && name.endsWith(rule.host))
	);
};
