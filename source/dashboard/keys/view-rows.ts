import {selectedSession, showsProgram} from '../store/program.ts';
import {focusedPane, lists, subjectOf} from '../store/selectors.ts';
import {isList, type State} from '../store/state.ts';
import {needsPanes} from './move-rows.ts';
import type {Row} from './row.ts';

const needsRow = (state: State): string | undefined => {
	const pane = focusedPane(state);
	if (pane === 'log' && selectedSession(state)) return undefined;
	if (pane === 'diff' && subjectOf(state).invite) return undefined;
	return isList(pane) && lists[pane].position(state) >= 0 ? undefined : 'There is nothing to open here.';
};

const needsSearch = ({search}: State): string | undefined =>
	search === '' ? 'Nothing is searched for: / asks.' : undefined;

const needsOutput = (state: State): string | undefined => {
	if (showsProgram(state)) return 'The screen of a session has both.';
	return state.log.agentId === '' ? 'No run is selected.' : undefined;
};

/** Looking at things. */
export const viewRows = [
	{
		action: 'open',
		keys: ['enter'],
		scope: 'everywhere',
		label: 'open',
		short: '',
		help: 'Open what is selected; talk with a session.',
		hint: 3,
		blocked: needsRow,
	},
	{
		action: 'back',
		keys: ['esc'],
		scope: 'everywhere',
		label: 'back',
		help: 'Back; clear the filter; leave zoom.',
	},
	{
		action: 'filter',
		keys: ['/'],
		scope: 'everywhere',
		label: 'filter',
		help: 'Filter the list, or search the text.',
		hint: 4,
	},
	{
		action: 'search.next',
		keys: ['n'],
		scope: 'texts',
		family: 'match',
		label: 'next match',
		help: 'Next match.',
		blocked: needsSearch,
	},
	{
		action: 'search.previous',
		keys: ['N'],
		scope: 'texts',
		family: 'match',
		label: 'previous match',
		help: 'Previous match.',
		blocked: needsSearch,
	},
	{
		action: 'sort',
		keys: ['s'],
		scope: 'traces',
		label: 'sort',
		help: 'Next order of the traces.',
	},
	{
		action: 'zoom',
		keys: ['z'],
		scope: 'everywhere',
		label: 'zoom',
		help: 'One pane on the whole screen; a session on the whole terminal.',
		hint: 12,
		blocked: needsPanes,
	},
	{
		action: 'follow',
		keys: ['f'],
		scope: 'log',
		label: 'follow',
		help: 'Stay at the end of the log.',
		hint: 5,
	},
	{action: 'wrap', keys: ['w'], scope: 'log', label: 'wrap', help: 'Wrap long lines.', hint: 6},
	{
		action: 'stream',
		keys: ['e'],
		scope: 'log',
		label: 'stderr/stdout',
		short: 'stderr',
		help: 'Standard error, and back to standard output.',
		hint: 8,
		blocked: needsOutput,
	},
	{action: 'pause', keys: ['p'], scope: 'events', label: 'pause', help: 'Hold the list still.', hint: 5},
	{
		action: 'hunk.previous',
		keys: ['['],
		scope: 'diff',
		family: 'hunk',
		label: 'hunk',
		help: 'Previous hunk.',
	},
	{
		action: 'hunk.next',
		keys: [']'],
		scope: 'diff',
		family: 'hunk',
		label: 'hunk',
		help: 'Next hunk.',
		hint: 5,
	},
	{
		action: 'file.previous',
		keys: ['{'],
		scope: 'diff',
		family: 'file',
		label: 'file',
		help: 'Previous file.',
	},
	{
		action: 'file.next',
		keys: ['}'],
		scope: 'diff',
		family: 'file',
		label: 'file',
		help: 'Next file.',
		hint: 6,
	},
	{
		action: 'pager',
		keys: ['o'],
		scope: 'texts',
		label: 'pager',
		help: 'The whole text in $PAGER.',
		hint: 7,
	},
] as const satisfies readonly Row[];
