import * as z from 'zod';
import { getWorkspaceSettings, updateWorkspace } from '../../../workspaces/settings/change-workspace.ts';
import { deleteWorkspace } from '../../../workspaces/settings/delete-workspace.ts';
import { defineForm, definePage } from '../../page-model/page.ts';
import { WorkspaceSettingsView } from './workspace-settings.view.tsx';

export const settingsParams = z.object({});
export const settingsReads = { settings: getWorkspaceSettings };

export const settingsPage = definePage({
  name: 'workspaceSettings',
  path: '/settings',
  title: () => 'Settings',
  params: settingsParams,
  reads: settingsReads,
  inputs: () => ({ settings: {} }),
  view: WorkspaceSettingsView,
});

export const updateWorkspaceForm = defineForm({
  name: 'changeWorkspace',
  path: '/settings',
  operation: updateWorkspace,
  flash: () => ({ text: 'Workspace saved' }),
});
export const deleteWorkspaceForm = defineForm({
  name: 'removeWorkspace',
  removal: 'asked',
  path: '/settings/remove',
  operation: deleteWorkspace,
  redirectTo: () => '/app',
});
