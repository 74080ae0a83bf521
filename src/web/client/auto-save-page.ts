// Pages that only need auto-save.
import './app.ts';
import { enhanceAutoSave } from './auto-save.ts';

enhanceAutoSave();
