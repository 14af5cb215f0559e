import type {ReadYaml} from './yaml-tree.ts';

/**
 * Parses YAML with the library. The library is loaded on first use, since loading it takes longer than most
 * commands.
 */
export const readYamlUncached: ReadYaml = async text => (await import('./read-yaml.ts')).readYaml(text);
