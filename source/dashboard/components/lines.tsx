import {createElement, Fragment} from 'react';
import type {Line} from '../parts/line.ts';
import {RichText} from './safe-text.tsx';

/** Lines below each other, one row each. */
export const Lines = ({lines}: {readonly lines: readonly Line[]}) =>
	createElement(Fragment, null, ...lines.map(line => createElement(RichText, {line})));
