import {createContext, useContext} from 'react';
import type {ThemeName} from '../parts/theme.ts';

export const ThemeContext = createContext<ThemeName>('dark');

export const useTheme = (): ThemeName => useContext(ThemeContext);
