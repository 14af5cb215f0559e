import type {Plugin} from 'esbuild';

export declare const inkOnTerminals: Plugin;
