// The server of the browser bench. It exits when the process that started it does.
//   node bench/web/server.ts <tasks> [fresh]
import { openBenchWorkspace } from './bench-workspace.ts';
import type { ServerMessage } from './messages.ts';
import { measureScreens } from './screens.ts';

const [, , size, fresh] = process.argv;
const sendToParent = (message: ServerMessage) => process.send?.(message);

process.once('disconnect', () => process.exit(0));
const workspace = await openBenchWorkspace(Number(size), fresh === 'fresh');
process.on('message', async () => sendToParent({ screens: await measureScreens(workspace) }));
sendToParent({ workspace });
