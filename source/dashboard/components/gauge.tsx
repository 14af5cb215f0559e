import {Box} from 'ink';
import {memo} from 'react';
import {renderHoneyBar} from '../parts/format.ts';
import {SafeText} from './safe-text.tsx';

type Props = {readonly remaining: number; readonly budget: number | undefined; readonly cells: number};

/** A honey reserve as a bar of `cells` columns and a count. With 0 cells only the count. */
export const Gauge = memo(({remaining, budget, cells}: Props) =>
	budget === undefined ? (
		<Box flexShrink={0}>
			<SafeText tone="dim">not set</SafeText>
		</Box>
	) : (
		<Box flexShrink={0} aria-role="progressbar" aria-label={`honey ${remaining} of ${budget}`}>
			{cells === 0 ? null : (
				<>
					<SafeText>[</SafeText>
					<SafeText tone={remaining > 0 ? 'accent' : 'bad'}>
						{renderHoneyBar(remaining, budget, cells)}
					</SafeText>
					<SafeText>{'] '}</SafeText>
				</>
			)}
			<SafeText>{`${remaining}/${budget}`}</SafeText>
		</Box>
	),
);
