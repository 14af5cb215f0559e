import type {Sheet} from '../../host/views/sheet.ts';
import {useShared} from './actions.tsx';
import {ActionDialog} from './dialog.tsx';
import {safe} from './safe.tsx';
import {RedLines} from './sheet.tsx';

type Parts = {
	readonly names: Readonly<Record<string, string>>;
	readonly sheet: Sheet | undefined;
	readonly title: string;
	readonly seen: string | undefined;
	readonly done: () => void;
	readonly close: () => void;
};

/** Confirms an approval: what speaks against it, where it lands, and the message of the commit. */
export const ApproveDialog = ({
	isFinal,
	isGuarded,
	...parts
}: Parts & {isFinal: boolean; isGuarded: boolean}) => {
	const {names, sheet, title, seen, done, close} = parts;
	const action = useShared().actions.get('proposal.approve');
	if (action === undefined) return null;
	const lands = sheet?.lands;
	return (
		<ActionDialog
			action={action}
			label={isFinal ? 'Merge this work' : 'Approve this work'}
			button={isFinal ? 'Merge' : 'Approve'}
			names={names}
			seen={seen}
			without={[
				...(isFinal ? ['merge', 'summary'] : ['merge', 'mergeMessage']),
				...(isGuarded ? [] : ['withoutGuard']),
			]}
			initially={{mergeMessage: lands?.message}}
			{...(isFinal && {buttons: [{label: 'Leave on branch', values: {merge: false}}]})}
			done={done}
			close={close}
		>
			<p>
				<b>{safe(title)}</b>
				{isFinal
					? ` is merged into ${lands?.branch || 'the base branch'} as it is shown. “Leave on branch” commits it on its own branch instead, for a pull request.`
					: ' is accepted as it is shown.'}
			</p>
			{sheet === undefined ? null : <RedLines sheet={sheet} />}
		</ActionDialog>
	);
};

/** Sends work back with words and comments on lines. */
export const RejectDialog = ({
	comments,
	bees,
	...parts
}: Parts & {
	comments: readonly object[];
	/** For a final gate: the tasks that may do the rework, by id. */
	bees: Readonly<Record<string, string>>;
}) => {
	const {names, title, seen, done, close} = parts;
	const action = useShared().actions.get('proposal.reject');
	if (action === undefined) return null;
	const ids = Object.keys(bees);
	const fields = action.fields.map(field =>
		field.name === 'rework' ? {...field, kind: 'choice' as const, choices: ids, titles: bees} : field,
	);
	return (
		<ActionDialog
			action={{...action, fields}}
			label="Reject this work"
			button="Reject"
			names={names}
			seen={seen}
			without={ids.length < 2 ? ['rework'] : []}
			initially={comments.length === 0 ? {} : {feedback: 'See the comments.'}}
			fixed={comments.length === 0 ? {} : {comments}}
			done={done}
			close={close}
		>
			<p>
				<b>{safe(title)}</b> goes back for another round, with your words
				{comments.length === 0
					? '. A tap on a line of the change adds a comment.'
					: ` and ${comments.length === 1 ? 'your comment' : `your ${comments.length} comments`} on lines.`}
			</p>
		</ActionDialog>
	);
};
