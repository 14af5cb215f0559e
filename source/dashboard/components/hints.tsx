import type {Hint} from '../keys/resolve.ts';
import {span} from '../parts/line.ts';
import {RichText} from './safe-text.tsx';

/** Keys with their labels. */
export const Hints = ({hints}: {readonly hints: readonly Hint[]}) => (
	<RichText
		line={hints.flatMap(({key, label}) => [span(key, 'strong'), span(label ? ` ${label}  ` : '  ', 'dim')])}
	/>
);
