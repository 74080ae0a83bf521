import { beforeEach, describe, expect, it } from 'vitest';
import { insertExport } from '../../exports/prepare-export.ts';
import { downloadArchive } from '../../exports/read-archive.ts';
import { getCell } from '../../support/env.ts';
import { createWorld, type World } from '../../support/world.ts';
import { readHiddenFields, WorkspaceBrowser } from '../server/workspace-browser.ts';

let world: World;
let owner: WorkspaceBrowser;

beforeEach(async () => {
  world = await createWorld({ cell: 0 });
  owner = await WorkspaceBrowser.signIn(world, world.people.owner);
});

const listExports = async () =>
  (
    await getCell(0)
      .prepare('SELECT id, has_files, person, status FROM exports WHERE ws = ?')
      .bind(world.no)
      .all()
  ).results;

describe('the export page without JavaScript', () => {
  it('starts an export, which can then be downloaded and deleted', async () => {
    const empty = (await owner.open('/exports')).html;
    expect(empty).toContain('Start export');
    expect(empty).toContain('aria-current="page"');
    const started = await owner.send('/exports', '/exports', { contents: 'workspace', includeFiles: 'true' });
    expect([started.status, started.location]).toEqual([303, `${owner.base}/exports`]);
    const [found] = await listExports();
    expect(found).toMatchObject({ has_files: 1, status: 'completed' });
    expect((await owner.open('/exports')).html).toContain('0 files');
    const download = await owner.open(`/exports/${found?.id}/download`);
    expect(download.status).toBe(302);
    const archive = await downloadArchive(String(download.headers.get('Location')));
    expect(archive.manifest.workspace.id).toBe(world.id);
    await owner.send('/exports', `/exports/${found?.id}/delete`);
    expect((await owner.open('/exports')).html).not.toContain('/download"');
    expect((await owner.open(`/exports/${found?.id}/download`)).status).toBe(404);
  });

  it('shows an error only at the form that was sent', async () => {
    for (let n = 0; n < 3; n += 1) await insertExport(world, world.people.owner, { status: 'completed' });
    const rejected = await owner.send('/exports', '/exports', { contents: 'workspace' });
    expect(rejected.status).toBe(400);
    expect(rejected.html.split('A workspace can keep up to 3 exports').length - 1).toBe(1);
  });

  it('starts an export of the workspace from a page of an earlier version', async () => {
    const { csrf = '', once = '' } = readHiddenFields(
      (await owner.open('/exports')).html,
      `${owner.base}/exports`,
    );
    expect((await owner.post('/exports', { csrf, once, includeFiles: 'true' })).status).toBe(303);
    expect(await listExports()).toMatchObject([{ has_files: 1, person: 0 }]);
  });

  it('leaves out the files if the box is not checked', async () => {
    await owner.send('/exports', '/exports', { contents: 'workspace' });
    expect(await listExports()).toMatchObject([{ has_files: 0 }]);
    expect((await owner.open('/exports')).html).toContain('without files');
  });

  it('shows the progress of a running export instead of the form, and cancels it', async () => {
    const id = await insertExport(world, world.people.admin);
    const { html } = await owner.open('/exports');
    expect(html).toContain('<progress max="23" value="0"');
    expect(html).toContain('data-updates');
    expect(html).not.toContain('Start export');
    const waiting = await owner.open(`/exports/${id}/download`);
    expect(waiting.headers.get('Location')).toBe(`${owner.base}/exports`);
    await owner.send('/exports', `/exports/${id}/delete`);
    expect((await owner.open('/exports')).html).toContain('Start export');
  });

  it('shows why an export failed', async () => {
    const id = await insertExport(world, world.people.owner, { status: 'failed' });
    await getCell(0).prepare("UPDATE exports SET problem = 'The <b>reason</b>.' WHERE id = ?").bind(id).run();
    expect((await owner.open('/exports')).html).toContain('Failed. The &lt;b&gt;reason&lt;/b&gt;.');
  });
});

describe.each(['lead', 'member', 'client'] as const)('a %s', (role) => {
  it('can export only their own data', async () => {
    const browser = await WorkspaceBrowser.signIn(world, world.people[role]);
    expect((await browser.open('/settings')).html).toContain(`${browser.base}/exports`);
    const { html } = await browser.open('/exports');
    expect(html).toContain('Export your data');
    expect(html).not.toContain('Start export');
    await browser.send('/exports', '/exports', { contents: 'own', includeFiles: 'true' });
    const [found] = await listExports();
    expect(found).toMatchObject({ status: 'completed' });
    const download = await browser.open(`/exports/${found?.id}/download`);
    const archive = await downloadArchive(String(download.headers.get('Location')));
    expect(archive.lines('people')).toMatchObject([{ id: world.people[role].userId }]);
  });
});
