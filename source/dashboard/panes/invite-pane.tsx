import {Box} from 'ink';
import {type Invite, mayMove} from '../../domain/invite.ts';
import {Lines} from '../components/lines.tsx';
import {Pane, PaneTitle} from '../components/pane.tsx';
import {SafeText} from '../components/safe-text.tsx';
import {wrapAtSpaces} from '../parts/cells.ts';
import {line} from '../parts/line.ts';
import {inviteLines} from '../store/invite.ts';
import {inside} from '../store/layout.ts';
import type {PaneProps} from './pane-props.ts';

/** The task of the selected invite. A long one is cut at the end. */
export const InvitePane = ({area, isFocused, invite}: PaneProps & {readonly invite: Invite}) => {
	const {width, height} = inside(area);
	// Cut before wrapping, which is meant for short texts.
	const shown = invite.task.slice(0, width * height);
	const task = shown
		.split('\n')
		.flatMap(text => wrapAtSpaces(text, width - 2))
		.join('\n');
	const rows = inviteLines({...invite, task}, Math.max(1, height - 6));
	return (
		<Pane area={area} isFocused={isFocused} title={<PaneTitle>{`Invite to ${invite.bee}`}</PaneTitle>}>
			<Box flexDirection="column" flexShrink={0} paddingLeft={1}>
				<Lines lines={[...rows, line('')]} />
				<SafeText tone="dim">{`Enter accepts it${declining(invite)}.`}</SafeText>
			</Box>
		</Pane>
	);
};

const declining = ({status}: Invite): string => {
	if (!mayMove(status, 'cancelled')) return '';
	return mayMove(status, 'deferred') ? '; x says no, or later' : '; x says no';
};
