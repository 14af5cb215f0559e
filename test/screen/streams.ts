import fc from 'fast-check';

const number = fc.nat({max: 26});
const small = fc.nat({max: 5});

const text = fc.oneof(
	{weight: 4, arbitrary: fc.string({maxLength: 24})},
	{weight: 2, arbitrary: fc.constantFrom('plain words', 'x'.repeat(20), '-'.repeat(41), '\t', '  ')},
	fc.constantFrom(
		'漢字',
		'漢',
		'😀',
		'✅',
		'é',
		'e\u0301',
		'\u0301',
		'ก็',
		'👩‍💻',
		'❤️',
		'é'.repeat(20),
		'漢'.repeat(11),
	),
);
const control = fc.constantFrom('\r\n', '\n', '\r', '\b', '\t', '\x0e', '\x0f', '\x07', '\x0b');

const attribute = fc.oneof(
	fc.constantFrom(
		'0',
		'1',
		'2',
		'3',
		'4',
		'5',
		'7',
		'8',
		'9',
		'21',
		'22',
		'23',
		'24',
		'27',
		'29',
		'31',
		'44',
		'97',
		'103',
	),
	fc.constantFrom(
		'38;5;200',
		'48;5;17',
		'38;2;1;2;3',
		'48;2;9;8;7',
		'4:3',
		'4:5',
		'58:5:4',
		'58:2::7:8:9',
		'59',
		'39',
		'49',
		'53',
		'55',
	),
);
const sgr = fc.array(attribute, {maxLength: 3}).map(codes => `\x1b[${codes.join(';')}m`);

const editing = fc
	.tuple(
		fc.constantFrom(
			'@',
			'A',
			'B',
			'C',
			'D',
			'E',
			'F',
			'G',
			'I',
			'L',
			'M',
			'P',
			'S',
			'T',
			'X',
			'Z',
			'`',
			'a',
			'b',
			'd',
			'e',
			' @',
			' A',
			"'}",
			"'~",
		),
		number,
	)
	.map(([final, count]) => `\x1b[${count || ''}${final}`);
const position = fc.tuple(number, number).map(([row, column]) => `\x1b[${row};${column}H`);
const erasing = fc
	.tuple(fc.nat({max: 2}), fc.constantFrom('J', 'K', '?J', '?K'))
	.map(([how, final]) => (final.startsWith('?') ? `\x1b[?${how}${final[1]}` : `\x1b[${how}${final}`));
const region = fc.oneof(
	fc.tuple(number, number).map(([top, bottom]) => `\x1b[${top};${bottom}r`),
	fc.constant('\x1b[r'),
);
const mode = fc
	.tuple(
		fc.constantFrom(
			1,
			5,
			6,
			7,
			9,
			12,
			25,
			45,
			47,
			66,
			1000,
			1002,
			1003,
			1004,
			1005,
			1006,
			1007,
			1015,
			1016,
			1047,
			1048,
			1049,
			2004,
			2026,
			2031,
		),
		fc.constantFrom('h', 'l'),
	)
	.map(([number, final]) => `\x1b[?${number}${final}`);
const others = fc.constantFrom(
	'\x1b7',
	'\x1b8',
	'\x1b[s',
	'\x1b[u',
	'\x1bD',
	'\x1bE',
	'\x1bM',
	'\x1bH',
	'\x1b[g',
	'\x1b[3g',
	'\x1b=',
	'\x1b>',
	'\x1b(0',
	'\x1b(B',
	'\x1b)0',
	'\x1b*A',
	'\x1bn',
	'\x1bo',
	'\x1b#8',
	'\x1b[4h',
	'\x1b[4l',
	'\x1b[20h',
	'\x1b[20l',
	'\x1b[!p',
	'\x1bc',
	'\x1b[1"q',
	'\x1b[0"q',
	'\x1b]8;;https://one.test/\x1b\\',
	'\x1b]8;id=a;https://two.test/\x07',
	'\x1b]8;;\x1b\\',
	'\x1b]2;title\x07',
	'\x1b]0;other\x1b\\',
	'\x1b[22;2t',
	'\x1b[23;2t',
	'\x1b[22t',
	'\x1b[23;0t',
);
const keyboard = fc.oneof(
	fc.tuple(fc.constantFrom('>', '<', '='), small).map(([how, flags]) => `\x1b[${how}${flags}u`),
	fc.tuple(small, small).map(([resource, value]) => `\x1b[>${resource};${value}m`),
	fc.constantFrom('\x1b[>m', '\x1b[>4m', '\x1b[>4n', '\x1b[4 q', '\x1b[5 q', '\x1b[0 q', '\x1b[2 q'),
);
const request = fc.constantFrom(
	'\x1b[c',
	'\x1b[>c',
	'\x1b[=c',
	'\x1b[6n',
	'\x1b[?6n',
	'\x1b[5n',
	'\x1b[?25$p',
	'\x1b[4$p',
	'\x1bP$qm\x1b\\',
	'\x1b[>q',
	'\x1b[18t',
	'\x1b]11;?\x07',
	'\x1b]4;1;?\x1b\\',
	'\x1b[?u',
	'\x1bP+q544e\x1b\\',
	'\x1b_Gi=1,a=q;\x1b\\',
	'\x05',
	'\x1bZ',
);
const broken = fc.constantFrom(
	'\x1b',
	'\x1b[',
	'\x1b[3',
	'\x1b]2;cut',
	'\x1bP',
	'\x18',
	'\x1b[1\n;2H',
	'\x1b[<1?h',
	'\x1b_app\x1b\\',
	'\u009b5C',
);

const parts = fc.array(
	fc.oneof(
		{weight: 8, arbitrary: text},
		{weight: 3, arbitrary: control},
		{weight: 3, arbitrary: sgr},
		{weight: 3, arbitrary: editing},
		{weight: 3, arbitrary: position},
		{weight: 2, arbitrary: erasing},
		{weight: 2, arbitrary: others},
		region,
		mode,
		keyboard,
		request,
		broken,
	),
	{maxLength: 60},
);

/** Arbitrary program output: whole and broken sequences of all kinds between texts. */
export const stream = parts.map(all => Buffer.from(withoutBrokenHalves(all.join(''))));

/** The same without links, protection and combining marks, which a pane omits or may cut off. */
export const drawable = parts.map(all =>
	Buffer.from(withoutBrokenHalves(all.filter(part => !leftOut.some(text => part.includes(text))).join(''))),
);

const leftOut = ['\x1b]8;', '"q', '\u0301', '\u200d', '\ufe0f', '\u0e47'];

/** Works around xterm: it omits the second half of a wide character at the end of a row that may not wrap. */
const withoutBrokenHalves = (written: string): string =>
	written.includes('\x1b[?7l') ? written.replace(/[漢字]|\p{Emoji_Presentation}/gu, 'w') : written;
