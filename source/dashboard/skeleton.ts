/**
 * Paints the first screen before React and Ink are loaded: alternate screen, name, tab line and pane outlines
 * (docs/performance.md row 13). It has no dependencies. The dashboard draws over it, and leaves the alternate
 * screen at its end.
 */
export const paintSkeleton = (
	write: (text: string) => void,
	{columns, rows}: {readonly columns: number; readonly rows: number},
): void => {
	const outlines = columns < 60 || rows < 15 ? [] : bands(columns, rows - chromeRows).map(outline);
	const body = [' hive  reading the log…', ' [1 Traces]', ...outlines.flat()];
	const screen = body.map((row, index) => `\x1b[${index + 1};1H${row}`).join('');
	write(`\x1b[?1049h\x1b[?25l\x1b[2J${screen}`);
};

/** Restores the terminal if the dashboard never started. */
export const wipeSkeleton = (write: (text: string) => void): void => write('\x1b[?25h\x1b[?1049l');

/** Rows of header, tabs, notices and footer, and the row that is never drawn. */
const chromeRows = 5;

type Band = {readonly widths: readonly number[]; readonly height: number};

/** The panes of the first tab as `layout.ts` places them for many traces. A test checks that both agree. */
const bands = (columns: number, height: number): readonly Band[] => {
	if (columns < 80 || height + chromeRows < 24) return [{widths: [columns], height}];
	if (columns < 120 || height + chromeRows < 30) {
		const above = Math.min(8, Math.floor((height - 1) * 0.4));
		return [
			{widths: [columns], height: above},
			{widths: [columns], height: height - 1 - above},
		];
	}
	const upper = Math.ceil(height * 0.42);
	const left = Math.floor(columns * 0.4);
	const lower = Math.max(51, Math.floor(columns * 0.36));
	return [
		{widths: [left, columns - left], height: upper},
		{widths: [lower, columns - lower], height: height - upper},
	];
};

const outline = ({widths, height}: Band): string[] => {
	const row = (left: string, fill: string, right: string): string =>
		widths.map(width => left + fill.repeat(width - 2) + right).join('');
	return [row('┌', '─', '┐'), ...Array(height - 2).fill(row('│', ' ', '│')), row('└', '─', '┘')];
};
