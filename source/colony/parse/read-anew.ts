import type {ReadYaml} from './yaml-tree.ts';

/**
 * Reads YAML with the library, which is loaded with its first use: it takes longer than most commands have.
 */
export const readAnew: ReadYaml = async text => (await import('./read-yaml.ts')).readYaml(text);
