const lines = (count: number, line: (index: number) => string): string =>
	Array.from({length: count}, (_, index) => line(index)).join('');

/** Moves within a file, with a status line below a scroll region, and colours to the end of each row. */
const editor =
	'\x1b[?1049h\x1b[22;0;0t\x1b[>4;2m\x1b[?1h\x1b=\x1b[?2004h\x1b[?1004h\x1b[1;12r\x1b[?12h\x1b[?12l\x1b[27m\x1b[23m\x1b[29m\x1b[m\x1b[H\x1b[2J\x1b[?25l' +
	lines(
		11,
		row =>
			`\x1b[${row + 1};1H\x1b[33m${String(row + 1).padStart(3)} \x1b[m\x1b[1;34mconst\x1b[m row${row} = \x1b[31m'漢字'\x1b[m;`,
	) +
	'\x1b[12;1H\x1b[7m-- INSERT --\x1b[K\x1b[27m\x1b[1;11r' +
	lines(
		30,
		row =>
			`\x1b[11;1H\r\n\x1b[33m${String(row + 12).padStart(3)} \x1b[m\x1b[4:3m\x1b[58:2::255:0:0mtypo\x1b[m ${'.'.repeat(row)}`,
	) +
	lines(8, row => `\x1b[1;1H\x1bM\x1b[32mabove ${row}\x1b[m\x1b[K`) +
	'\x1b[1;12r\x1b[5;9H\x1b[3L\x1b[2M\x1b[4P\x1b[6@in\x1b[4hinserted\x1b[4l\x1b[?25h\x1b[2 q' +
	'\x1b[?2004l\x1b[?1l\x1b>\x1b[>4;m\x1b[?1049l\x1b[23;0;0t\r\nleft\r\n';

const pager =
	'$ less file\r\n\x1b[?1049h\x1b[22;0;0t\x1b[?1h\x1b=\r' +
	lines(11, row => `\x1b[1mLine ${row}\x1b[m: ${'words and words '.repeat(3)}\x1b[m\r\n`) +
	lines(20, row => `\r\x1b[K${`Line ${row}`.padEnd(40, '~')}\r\n:\x1b[K`) +
	'\r\x1b[K\x1b[H\x1bM\x1b[7mfirst\x1b[27m\r\n\x1b[12;1H\r\x1b[K\x1b[7m(END)\x1b[27m\x1b[K' +
	'\r\x1b[K\x1b[?1l\x1b>\x1b[?1049l\x1b[23;0;0t$ ';

const monitor =
	'\x1b[?1049h\x1b[?1000;1006h\x1b(B\x1b[m\x1b[4l\x1b[?7h\x1b[?25l\x1b[39;49m\x1b[H\x1b[2J' +
	lines(15, tick =>
		lines(
			12,
			row =>
				`\x1b[${row + 1};1H\x1b[${30 + (row % 8)};${40 + ((row + tick) % 8)}m${String(tick * row).padStart(5)}\x1b[1;90m ${'|'.repeat((tick * row) % 30)}\x1b[m\x1b[30;46m\x1b[K\x1b[m`,
		),
	) +
	'\x1b[12;1H\x1b[?7l\x1b[7mF1Help F2Setup                           F10Quit\x1b[m\x1b[?7h' +
	'\x1b[?1006;1000l\x1b[12;1H\x1b[?25h\x1b[?1049l';

const inline =
	'\x1b[?25l\x1b[?2004h\x1b[>1u' +
	lines(
		25,
		tick =>
			`\x1b[?2026h${tick === 0 ? '' : '\x1b[2K\x1b[1A\x1b[2K\x1b[1A\x1b[2K\x1b[1A\x1b[2K\x1b[G'}${tick % 5 === 0 ? `\x1b[38;5;${tick}m● said ${tick}\x1b[39m 漢 ✅ e\u0301\r\n` : ''}\x1b[2m╭${'─'.repeat(36)}╮\x1b[22m\r\n│ > ${'typed '.slice(0, tick % 7)}\x1b[7m \x1b[27m\r\n╰${'─'.repeat(36)}╯\r\n\x1b[38;2;120;${tick};200mthinking ${'⠋⠙⠹⠸'[tick % 4]}\x1b[39m\x1b[?2026l`,
	) +
	'\r\n\x1b[<u\x1b[?2004l\x1b[?25h';

const fullRows =
	lines(30, row => `\x1b[4${row % 8}m${String.fromCharCode(65 + (row % 26)).repeat(40)}`) +
	'\x1b[m' +
	lines(20, row => `${'漢'.repeat(20)}${'é'.repeat(row)}`) +
	`\x1b[3;1H${'z'.repeat(40)}\x1b[31m!`;

const drawing =
	'\x1b)0\x1b[3g\x1b[5G\x1bH\x1b[15G\x1bH\r\tone\ttwo\r\n\x0elqqqqqqk\x0f\r\n\x1b(0x      x\x1b(B\r\n\x0emqqqqqqj\x0f\r\n' +
	'\x1b7\x1b[10;20H\x1b[1;5;35mblink\x1b8back\x1b#8\x1b[3;9r\x1b[?6h\x1b[2;2Hin region\x1b[20;1H' +
	lines(12, row => `scrolls ${row}\n\r`) +
	'\x1b[?6l\x1b[r\x1b[1"qkept\x1b[0"q lost\x1b[?2K\x1b[1J\x1b[53mover\x1b[9mstruck\x1b[m\x1b[21mdouble';

/** Handmade output of several kinds of programs. */
export const recordings: Readonly<Record<string, string>> = {
	'an editor': editor,
	'a pager': pager,
	'a process monitor': monitor,
	'a tool that repaints its last rows': inline,
	'rows that are full': fullRows,
	'drawings, tabs and regions': drawing,
	'all of them one after the other': editor + pager + monitor + inline + fullRows + drawing,
};
