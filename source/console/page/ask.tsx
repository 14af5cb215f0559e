import {useState} from 'preact/hooks';
import {useShared} from './actions.tsx';
import {post} from './api.ts';
import {Dialog, Form} from './dialog.tsx';
import {useKey} from './keyboard.ts';
import {keyOf} from './keys.ts';
import {Key, safe} from './safe.tsx';

/** A form that runs a cue. */
export const Ask = () => {
	const {colony} = useShared();
	const [isOpen, open] = useState(false);
	useKey(key => {
		if (key !== keyOf('cue.run') || colony.caller.scope !== 'act') return false;
		open(true);
		return true;
	});
	if (colony.caller.scope !== 'act' || colony.cues.length === 0) return null;
	return (
		<>
			<button type="button" class="act" onClick={() => open(true)} aria-keyshortcuts={keyOf('cue.run')}>
				Run a cue <Key of="cue.run" />
			</button>
			{isOpen ? (
				<Dialog title="Run a cue" close={() => open(false)}>
					<ul class="hints">
						{colony.cues.map(({id, description}) => (
							<li key={id}>
								<b>{id}</b> {safe(description)}
							</li>
						))}
					</ul>
					<Form
						fields={[
							{
								name: 'cue',
								kind: 'choice',
								required: true,
								summary: '',
								choices: colony.cues.map(({id}) => id),
							},
							{name: 'body', kind: 'text', required: false, summary: 'What is wanted.'},
						]}
						initially={{cue: colony.cues[0]?.id}}
						button="Run"
						perform={values => post('/api/cues', values)}
						done={() => open(false)}
					/>
				</Dialog>
			) : null}
		</>
	);
};
