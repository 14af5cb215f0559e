/**
 * What is typed for a session goes by another way, as it is: what still comes here was read before it had the
 * keyboard.
 */
export const pressTalk = (): void => {};
