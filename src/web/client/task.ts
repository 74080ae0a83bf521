// What a task runs beside the frame: mentions.
import { enhanceMentions } from './mention.ts';

enhanceMentions();
