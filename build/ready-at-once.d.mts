import type {Plugin} from 'esbuild';

export declare const readyAtOnce: Plugin;
