/** Parameters of a CSI sequence as xterm hands them over, with sub-parameters as arrays. */
export type Parameters = readonly (number | number[])[];

/** The first parameter, 0 when there is none. */
export const first = (parameters: Parameters): number =>
	typeof parameters[0] === 'number' ? parameters[0] : 0;
