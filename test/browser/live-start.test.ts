import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addCard, card } from './boards.ts';
import { getWorkspaceUrl, signIn, visit } from './screens.ts';
import { demo } from './server.ts';
import { openStage } from './stage.ts';

const { server, browser } = await openStage();
const viewport = { width: 1280, height: 800 };
const name = `Added before the socket opened ${Date.now().toString(36)}`;

test('a board shows a task that was added after it was rendered and before its socket opened', async () => {
  const storageState = await signIn(browser, server.origin, demo.member);
  const [watching, adding] = [
    await visit(browser, { storageState, viewport }),
    await visit(browser, { storageState, viewport }),
  ];
  const base = await getWorkspaceUrl(adding.page, server.origin);
  const added = Promise.withResolvers<void>();
  await watching.page.routeWebSocket('**/live', async (socket) => {
    await added.promise;
    socket.connectToServer();
  });
  await watching.page.goto(`${base}/projects/1`);
  await adding.page.goto(`${base}/projects/1`);
  await addCard(adding.page, name);
  assert.equal(await card(watching.page, name).count(), 0);
  added.resolve();
  await card(watching.page, name).waitFor();
  await watching.close();
  await adding.close();
});
