import {useState} from 'preact/hooks';
import {strategyEffects} from '../../domain/landing.ts';
import type {Sheet} from '../../host/views/sheet.ts';
import type {Action, TaskLanding} from '../answers.ts';
import {ActionDialog} from './action-dialog.tsx';
import {useShared} from './actions.tsx';
import {pathTo} from './api.ts';
import {useOnce} from './live.ts';
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

/** Confirms an approval: what speaks against it, where it lands and when, and the message of the commit. */
export const ApproveDialog = ({
	isFinal,
	isGuarded,
	landing,
	failed,
	...parts
}: Parts & {
	isFinal: boolean;
	isGuarded: boolean;
	landing: TaskLanding;
	/** Called if its checks have failed already. */
	failed: () => void;
}) => {
	const {names, sheet, title, seen, done, close} = parts;
	const action = withStrategies(useShared().actions.get('proposal.approve'));
	const [isOverriding, override] = useState(false);
	if (action === undefined) return null;
	if (isOverriding)
		return <OverrideDialog {...parts} action={action} isGuarded={isGuarded} back={() => override(false)} />;
	const lands = sheet?.lands;
	const isChecked = isFinal && landing.checks !== '';
	const ahead = landing.ahead[lands?.branch ?? ''] ?? 0;
	return (
		<ActionDialog
			action={action}
			label={isFinal ? 'Merge this work' : 'Approve this work'}
			button={isFinal && !isChecked && lands?.onApprove !== 'pull_request' ? 'Merge' : 'Approve'}
			names={names}
			seen={seen}
			without={[
				...['withoutChecks', 'reason'],
				...['pullRequest', 'here'],
				...(isFinal ? ['merge', 'summary'] : ['merge', 'mergeMessage', 'strategy']),
				...(isGuarded ? [] : ['withoutGuard']),
				...(isChecked && ahead > 0 ? [] : ['first']),
			]}
			initially={{mergeMessage: lands?.message, strategy: lands?.strategy}}
			fixed={{reason: undefined}}
			{...(isFinal && {buttons: otherWays(lands)})}
			{...(isChecked && {
				after: (
					<p>
						<button type="button" onClick={() => override(true)}>
							Merge without checks…
						</button>
					</p>
				),
			})}
			refused={({code}) => {
				if (code !== 'checks_failed') return undefined;
				failed();
				return 'Close this and press “Check again”, or merge it without checks.';
			}}
			done={done}
			close={close}
		>
			<p>
				<b>{safe(title)}</b>
				{isFinal ? effectOf(lands) : ' is accepted as it is shown'}
				{isChecked ? (
					<>
						, once this merge has passed <code>{safe(landing.checks)}</code>
					</>
				) : null}
				{isFinal && !isChecked ? '. No checks run on the result' : null}.
			</p>
			{isChecked ? (
				<p>
					{ahead === 0 ? '' : `${ahead === 1 ? 'One merge is' : `${ahead} merges are`} ahead of it. `}
					If a check fails, nothing is merged and it is back with you.
				</p>
			) : null}
			{isFinal ? <p>“Leave on branch” commits it on its own branch instead, for a pull request.</p> : null}
			{sheet === undefined ? null : <RedLines sheet={sheet} />}
		</ActionDialog>
	);
};

/** The action with the effect of each strategy as its choices. */
const withStrategies = (action: Action | undefined): Action | undefined =>
	action && {
		...action,
		fields: action.fields.map(field =>
			field.name === 'strategy' ? {...field, required: true, titles: strategyEffects} : field,
		),
	};

/** What a final review may become beside the usual. With a forge: a request, or a merge here. */
const otherWays = (lands: Sheet['lands'] | undefined) => [
	...(lands?.onApprove === 'merge' ? [{label: 'Pull request', values: {pullRequest: true}}] : []),
	...(lands?.onApprove === 'pull_request' ? [{label: 'Merge here', values: {here: true}}] : []),
	{label: 'Leave on branch', values: {merge: false}},
];

const effectOf = (lands: Sheet['lands'] | undefined): string =>
	lands?.onApprove === 'pull_request'
		? ` goes into a pull request for ${lands.branch || 'the base branch'} as it is shown`
		: ` is merged into ${targetOf(lands)} as it is shown`;

/** Where a merge goes, for a sentence. */
const targetOf = (lands: Sheet['lands'] | undefined): string =>
	`${lands?.branch || 'the base branch'}${lands?.push === 'required' ? ', and pushed to its upstream,' : ''}`;

/** The second step before a merge that skips required checks. */
const OverrideDialog = ({
	action,
	isGuarded,
	back,
	...parts
}: Parts & {action: Action; isGuarded: boolean; back: () => void}) => {
	const {names, sheet, title, seen, done, close} = parts;
	const lands = sheet?.lands;
	const asked = ['reason', 'strategy', 'mergeMessage', ...(isGuarded ? ['withoutGuard'] : [])];
	return (
		<ActionDialog
			key="override"
			action={action}
			label="Merge without checks"
			names={names}
			seen={seen}
			without={action.fields.flatMap(({name}) => (asked.includes(name) ? [] : [name]))}
			initially={{mergeMessage: lands?.message, strategy: lands?.strategy}}
			fixed={{withoutChecks: true, first: undefined}}
			isDanger
			after={
				<p>
					<button type="button" onClick={back}>
						Back
					</button>
				</p>
			}
			done={done}
			close={close}
		>
			<p>
				<b>{safe(title)}</b> {`is merged into ${targetOf(lands)} at once.`} No check has run on the result.
			</p>
			<p>The log keeps that you did this. Wherever the merge is shown, so is your reason.</p>
		</ActionDialog>
	);
};

/** Sends work back with words and comments on lines. */
export const RejectDialog = ({
	comments,
	isFinal,
	...parts
}: Parts & {
	comments: readonly object[];
	/** True if the work of several tasks is rejected, so that one of them does the rework. */
	isFinal: boolean;
}) => {
	const {names, title, seen, done, close} = parts;
	const action = useShared().actions.get('proposal.reject');
	const {value: choice} = useOnce(
		pathTo('/api/traces/:traceId/tasks/:taskId/rework', names),
		isFinal ? 'once' : '',
	);
	if (action === undefined) return null;
	const tasks = choice?.tasks ?? [];
	const titles = Object.fromEntries(tasks.map(({taskId, title, bee}) => [taskId, `${title} (${bee})`]));
	const fields = action.fields.map(field =>
		field.name === 'rework'
			? {...field, kind: 'choice' as const, choices: Object.keys(titles), titles}
			: field,
	);
	return (
		<ActionDialog
			action={{...action, fields}}
			label="Reject this work"
			button="Reject"
			names={names}
			seen={seen}
			without={tasks.length < 2 ? ['rework'] : []}
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
