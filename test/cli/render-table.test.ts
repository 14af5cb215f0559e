import {describe, expect, it} from 'vitest';
import {renderTable} from '../../source/cli/render-table.ts';
import {renderText} from '../../source/cli/text.ts';

const heads = [{title: 'TASK'}, {title: 'N', right: true}, {title: 'SUMMARY'}];
const table = async (rows: string[][], columns?: number) =>
	renderText(await renderTable(heads, rows, columns), false).split('\n');

describe('a table', () => {
	it('makes every column as wide as its widest cell', async () => {
		expect(
			await table([
				['ui', '7', 'done'],
				['migration', '12', ''],
			]),
		).toEqual(['TASK        N  SUMMARY', 'ui          7  done', 'migration  12']);
	});

	it("counts wide characters with the terminal's columns", async () => {
		expect(
			await table([
				['漢字', '1', 'x'],
				['abcd', '1', 'y'],
			]),
		).toEqual(['TASK  N  SUMMARY', '漢字  1  x', 'abcd  1  y']);
	});

	it("cuts the widest column to the terminal's width, and never inside a character", async () => {
		const rows = await table([['ui', '1', '漢字漢字漢字']], 18);
		expect(rows[1]).toBe('ui    1  漢字漢字…');
	});

	it('keeps one row per line, whatever a cell contains', async () => {
		expect(await table([['a\nb', '1', '\u001B[2Jc']])).toEqual(['TASK  N  SUMMARY', 'a b   1  c']);
	});
});
