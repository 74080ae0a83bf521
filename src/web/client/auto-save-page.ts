// Pages with dates or choices that save themselves, and nothing else of their own.
import './app.ts';
import { enhanceAutoSave } from './auto-save.ts';

enhanceAutoSave();
