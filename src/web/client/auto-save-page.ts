import './app.ts';
import { enhanceAutoSave } from './auto-save.ts';

enhanceAutoSave();
