// The server of the browser bench. It ends with the process that started it.
//   node bench/web/server.ts <tasks> [fresh]
import { openPlace } from './bench-place.ts';
import type { ServerMessage } from './messages.ts';
import { measureScreens } from './screens.ts';

const [, , size, fresh] = process.argv;
const sendToParent = (told: ServerMessage) => process.send?.(told);

process.once('disconnect', () => process.exit(0));
const place = await openPlace(Number(size), fresh === 'fresh');
process.on('message', async () => sendToParent({ screens: await measureScreens(place) }));
sendToParent({ place });
