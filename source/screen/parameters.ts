/** Parameters of a CSI sequence in xterm's form, with sub-parameters as arrays. */
export type Parameters = readonly (number | number[])[];

/** Returns the first parameter, 0 if there is none. */
export const first = (parameters: Parameters): number =>
	typeof parameters[0] === 'number' ? parameters[0] : 0;
