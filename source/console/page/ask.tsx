import {useState} from 'preact/hooks';
import type {Colony} from '../answers.ts';
import {useShared} from './actions.tsx';
import {post} from './api.ts';
import {Dialog} from './dialog.tsx';
import {useDraft} from './drafts.ts';
import {Form} from './form.tsx';
import {useKey} from './keyboard.ts';
import {keyOf} from './keys.ts';
import {Key, safe} from './safe.tsx';

/** A button that opens the form of a cue, which starts work. */
export const Ask = () => {
	const {colony} = useShared();
	const [isOpen, open] = useState(false);
	useKey(key => {
		if (key !== keyOf('cue.run') || colony.caller.scope !== 'act' || colony.cues.length === 0) return false;
		open(true);
		return true;
	});
	if (colony.caller.scope !== 'act' || colony.cues.length === 0) return null;
	return (
		<>
			<button type="button" class="act" onClick={() => open(true)} aria-keyshortcuts={keyOf('cue.run')}>
				Start work <Key of="cue.run" />
			</button>
			{isOpen ? <StartWork cues={colony.cues} close={() => open(false)} /> : null}
		</>
	);
};

const paramPrefix = 'params.';

/** The params that were filled in, by their names. Undefined without any. */
const paramsIn = (values: Readonly<Record<string, unknown>>): object | undefined => {
	const given = Object.entries(values).flatMap(([name, value]) =>
		name.startsWith(paramPrefix) && value ? [[name.slice(paramPrefix.length), value]] : [],
	);
	return given.length === 0 ? undefined : Object.fromEntries(given);
};

/** The branch that was filled in. */
const branchIn = (base: unknown): {readonly base?: string} => {
	const branch = String(base ?? '').trim();
	return branch === '' ? {} : {base: branch};
};

/** Asks for a cue and for the words that it needs. The words stay when another cue is chosen. */
const StartWork = ({cues, close}: {cues: Colony['cues']; close: () => void}) => {
	const [chosen, choose] = useDraft('cue', '');
	const cue = cues.find(({id}) => id === chosen) ?? cues[0];
	if (cue === undefined) return null;
	return (
		<Dialog title="Start work" close={close}>
			{cues.length === 1 ? <p>{safe(cue.description)}</p> : null}
			<fieldset class="cues" hidden={cues.length === 1}>
				<legend>With which cue?</legend>
				{cues.map(({id, description}) => (
					<label key={id} class="option">
						<input type="radio" name="cue" checked={id === cue.id} onChange={() => choose(id)} />
						<span>
							<b>{id}</b> {safe(description)}
						</span>
					</label>
				))}
			</fieldset>
			<Form
				id="cue.run"
				draft="cue.run"
				hasFocus
				fields={[
					{name: 'body', kind: 'text', required: cue.needsText, summary: ''},
					...cue.params.map(name => ({
						...{name: `${paramPrefix}${name}`, kind: 'text' as const, required: false, summary: ''},
					})),
					{name: 'base', kind: 'text', required: false, summary: ''},
					{
						...{name: 'isPlanReviewed', kind: 'boolean', required: false},
						summary: 'I accept the plan before its tasks start.',
					},
				]}
				initially={{isPlanReviewed: cue.planReview === 'required'}}
				button="Start"
				perform={({isPlanReviewed, body, base, ...values}) =>
					post('/api/cues', {
						...{cue: cue.id, body, params: paramsIn(values), ...branchIn(base)},
						planReview: isPlanReviewed ? 'required' : 'none',
					})
				}
				done={close}
			/>
		</Dialog>
	);
};
