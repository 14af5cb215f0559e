const csi = /^.\[([<=>?]?)([0-9:;]*)([ -/]*)(.)$/su;

/**
 * Final bytes of sequences that a terminal answers, by prefix and intermediates. They ask for device
 * attributes, status and position, modes, presentation, version, parameters, checksums, graphics, keyboard
 * flags and formats. Also those that a viewer must not receive: printing (`i`).
 */
const answeredQueries: Readonly<Record<string, string>> = {
	'': 'cnxi',
	'?': 'nuSmi',
	'>': 'cq',
	'=': 'c',
	$: 'pwu',
	'?$': 'p',
	'"': 'v',
	'&': 'u',
	'*': 'y',
	"'": '|',
	'#': 'R|',
};

/** Window operations for a viewer: only the title stack. All others move windows, or query them. */
const titleStack = new Set(['22', '23']);

/** Colours, special colours, the clipboard, the pointer's shape, and queries of image programs. */
const queriesWithPrefix = new Set([
	'4',
	'5',
	'10',
	'11',
	'12',
	'13',
	'14',
	'15',
	'16',
	'17',
	'18',
	'19',
	'21',
	'22',
	'52',
]);
const toolQueries = /^1337;(?:ReportCellSize|ReportVariable|Capabilities)/u;

/** True if a whole sequence is for the program's own terminal, and not for viewers. */
export const isForTerminal = (sequence: string): boolean => {
	switch (sequence.charAt(1)) {
		case '[':
			return isControl(sequence);
		case ']':
			return isQuestion(sequence.slice(2));
		case 'P':
			return /^.P[0-9;]*(?:\$q|\+q|\+Q)/su.test(sequence);
		case '_':
			return sequence.charAt(2) === 'G';
		default:
			return sequence === '\x1bZ';
	}
};

const isControl = (sequence: string): boolean => {
	// Attributes are the most frequent sequences, and are no query without a prefix.
	if (sequence.endsWith('m') && sequence.charAt(2) < '<') return false;
	const [, prefix = '', parameters = '', intermediates = '', final = ''] = csi.exec(sequence) ?? [];
	if (final === 't' && prefix + intermediates === '') return !titleStack.has(parameters.split(';')[0] ?? '');
	return answeredQueries[prefix + intermediates]?.includes(final) ?? false;
};

const isQuestion = (command: string): boolean => {
	const [number = '', ...values] = command.replace(/[^ -~].*$/su, '').split(';');
	return (queriesWithPrefix.has(number) && values.includes('?')) || toolQueries.test(command);
};
