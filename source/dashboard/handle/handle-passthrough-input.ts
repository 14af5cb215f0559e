/**
 * Input for a session bypasses the keys. A press that still arrives here was read before the session had the
 * keyboard.
 */
export const handlePassthroughInput = (): void => {};
