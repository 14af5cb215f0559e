import {memo} from 'react';
import {beeName} from '../../host/views/name.ts';
import {Lines} from '../components/lines.tsx';
import {Log} from '../components/log.tsx';
import {Pane, PaneTitle} from '../components/pane.tsx';
import {RichText, SafeText} from '../components/safe-text.tsx';
import {useSelector} from '../hooks/use-selector.ts';
import {useText} from '../hooks/use-text.ts';
import {type Line, span} from '../parts/line.ts';
import {logHead} from '../store/heads.ts';
import {inside} from '../store/layout.ts';
import type {LogStream} from '../store/log.ts';
import {showsProgram} from '../store/program.ts';
import {logOfRun, selectedRun} from '../store/selectors.ts';
import {logCursor, logRowTimes} from '../store/texts.ts';
import type {PaneProps} from './pane-props.ts';
import {ProgramPane} from './program-pane.tsx';

/** The live output of the selected run, or the screen of a session. */
export const LogPane = memo((props: PaneProps) => {
	const isProgram = useSelector(showsProgram);
	return isProgram ? <ProgramPane {...props} /> : <OutputPane {...props} />;
});

const OutputPane = ({area, isFocused}: PaneProps) => {
	const row = useSelector(selectedRun);
	const log = useSelector(logOfRun);
	const times = useSelector(logRowTimes);
	const head = useSelector(logHead);
	const {all, start, end, left, search, follow} = useText('log');
	const isWrapped = useSelector(state => state.wrap);
	const cursor = useSelector(logCursor);
	const isUnfolded = log.unfolded !== undefined;
	if (!row)
		return (
			<Pane area={area} isFocused={isFocused} title={<PaneTitle>Log</PaneTitle>}>
				<SafeText tone="dim"> No run selected.</SafeText>
			</Pane>
		);
	return (
		<Pane
			area={area}
			isFocused={isFocused}
			title={<RichText line={logTitle(beeName(row.run.bee), log.stream, search, follow, isUnfolded)} />}
		>
			<Lines lines={head} />
			<Log
				lines={all.slice(start, end)}
				times={times?.slice(start, end)}
				start={log.total - log.lines.length + start}
				left={isWrapped ? 0 : left}
				search={search}
				marked={isFocused ? {index: cursor - start, width: inside(area).width} : undefined}
				stream={log.stream}
				isLive={row.run.status === 'running'}
				total={log.total + (log.open === '' ? 0 : 1)}
				kept={log.lines.length + (log.open === '' ? 0 : 1)}
				removed={log.removed}
			/>
		</Pane>
	);
};

const logTitle = (
	bee: string,
	stream: LogStream,
	search: string,
	isFollowed: boolean,
	isUnfolded: boolean,
): Line => [
	span(`Log ${bee} · ${stream}${search === '' ? '' : ` · /${search}`}`, 'strong'),
	...(isUnfolded ? [span(' · '), span('Esc folds', 'accent')] : []),
	...(isFollowed ? [span(' · '), span('FOLLOW', 'accent')] : []),
];
