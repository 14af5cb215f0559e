import {memo} from 'react';
import {Pane} from '../components/pane.tsx';
import {ProgramRows} from '../components/program-rows.tsx';
import {RichText, SafeText} from '../components/safe-text.tsx';
import {useSelector} from '../hooks/use-selector.ts';
import {type Line, span} from '../parts/line.ts';
import {shownBee, shownProgram} from '../store/program.ts';
import type {PaneProps} from './pane-props.ts';

/** The live screen of a session. */
export const ProgramPane = memo(({area, isFocused}: PaneProps) => {
	const bee = useSelector(shownBee);
	const program = useSelector(shownProgram);
	const key = useSelector(({mode}) => (mode.kind === 'talk' ? mode.detachKey.name : undefined));
	const size = program ? ` · ${program.size.columns}x${program.size.rows}` : '';
	const title: Line = [
		span(`${bee}${size}`, 'strong'),
		...(program?.isFull ? [span(' · does not read: what you type is dropped', 'bad')] : []),
		...(program?.over === undefined ? [] : [span(` · ${program.over}`, 'bad')]),
		...hint(key, isFocused && program?.over === undefined),
	];
	return (
		<Pane area={area} isFocused={isFocused} title={<RichText line={title} />}>
			{program ? <ProgramRows rows={program.rows} /> : <SafeText tone="dim"> Looking at it…</SafeText>}
		</Pane>
	);
});

/** Who has the keyboard, and the key that changes this. */
const hint = (key: string | undefined, canTalk: boolean): Line => {
	if (key !== undefined) return [span(` · talking - ${key} gives the keyboard back`, 'accent')];
	return canTalk ? [span(' · Enter talks · z the whole terminal', 'dim')] : [];
};
