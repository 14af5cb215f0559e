import type {Sections} from '../answers.ts';
import {safe} from './safe.tsx';

/** Sections that are collapsed at first. All others are open. */
const closed = new Set(['prompt', 'runs', 'files', 'why']);

/** Shows sections of details as the server sends them. */
export const Parts = ({sections}: {sections: Sections['sections']}) => (
	<>
		{sections.map(({id, title, lines}) => (
			<details key={id} class="part" open={!closed.has(id)}>
				<summary>{title}</summary>
				<div class="lines">
					{lines.map(({name, text, tone = 'plain'}, index) => (
						// biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name.
						<p key={index} class={`t-${tone}`}>
							{name === undefined ? null : <span class="name">{safe(name)}</span>}
							<span>{safe(text)}</span>
						</p>
					))}
				</div>
			</details>
		))}
	</>
);
