import {memo} from 'react';
import {beeName} from '../../host/views/name.ts';
import {useSelector} from '../hooks/use-selector.ts';
import {span} from '../parts/line.ts';
import {logLines} from '../store/log.ts';
import {logOfRun, selectedRun} from '../store/selectors.ts';
import {RichText, SafeText} from './safe-text.tsx';

/** The last log line of the selected run, for a screen without room for the log. */
export const LastLogLine = memo(() => {
	const row = useSelector(selectedRun);
	const log = useSelector(logOfRun);
	if (!row) return <SafeText tone="dim"> Tab shows its sheet</SafeText>;
	const last = logLines(log).findLast(text => text.trim() !== '');
	return (
		<RichText
			line={[
				span(` log ${beeName(row.run.bee)} `, 'dim'),
				span(last ?? 'nothing written yet', last ? 'plain' : 'dim'),
			]}
		/>
	);
});
