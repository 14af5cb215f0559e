import {useState} from 'preact/hooks';

const prefix = 'hive-draft ';

const readDraft = (key: string): unknown => {
	try {
		return JSON.parse(sessionStorage.getItem(prefix + key) ?? 'null') ?? undefined;
	} catch {
		return undefined;
	}
};

const writeDraft = (key: string, value: unknown): void => {
	try {
		if (value === undefined) sessionStorage.removeItem(prefix + key);
		else sessionStorage.setItem(prefix + key, JSON.stringify(value));
	} catch {
		// A full or forbidden storage: the words stay as long as the page.
	}
};

/**
 * State that a reload, a lost read and a look at another screen leave as it is. It ends with the tab.
 * Setting it to undefined returns it to `initially`.
 *
 * @param key not stored if empty
 */
export const useDraft = <Value>(
	key: string,
	initially: Value,
): readonly [Value, (value: Value | undefined) => void] => {
	const [value, set] = useState<Value>(
		() => (key === '' ? undefined : (readDraft(key) as Value | undefined)) ?? initially,
	);
	return [
		value,
		next => {
			if (key !== '') writeDraft(key, next);
			set(next ?? initially);
		},
	];
};

/** Removes all drafts, for a logout. */
export const removeDrafts = (): void => {
	for (const key of Object.keys(sessionStorage)) if (key.startsWith(prefix)) sessionStorage.removeItem(key);
};
