import type {Plugin} from 'esbuild';

export declare const inkRowCache: Plugin;
