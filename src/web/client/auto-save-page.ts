import './app.ts';
import { enableAutoSave } from './auto-save.ts';

enableAutoSave();
