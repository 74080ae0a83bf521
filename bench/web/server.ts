// The server of the browser bench. It ends with the process that started it.
//   node bench/web/server.ts <tasks> [fresh]
import { openPlace } from './place.ts';
import { costOfScreens } from './screens.ts';
import type { Told } from './talk.ts';

const [, , size, fresh] = process.argv;
const tell = (told: Told) => process.send?.(told);

process.once('disconnect', () => process.exit(0));
const place = await openPlace(Number(size), fresh === 'fresh');
process.on('message', async () => tell({ screens: await costOfScreens(place) }));
tell({ place });
