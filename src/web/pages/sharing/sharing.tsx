import * as z from 'zod';
import { integerId } from '../../../kernel/operation/schema.ts';
import { getProjectSettings } from '../../../projects/operations/change-projects.ts';
import { listProjectMembers } from '../../../projects/operations/projects.ts';
import {
  createIntakeForm,
  deleteIntakeForm,
  getIntakeForm,
  updateIntakeForm,
} from '../../../sharing/intake/intake-forms.ts';
import {
  createPublicLink,
  listPublicLinks,
  revokePublicLink,
  updatePublicLink,
} from '../../../sharing/public-links/public-links.ts';
import { defineForm, definePage } from '../../page-model/page.ts';
import { FilterSharingView, ProjectSharingView } from './sharing.view.tsx';

export const projectSharingParams = z.object({ project: integerId });
export const projectSharingReads = {
  links: listPublicLinks,
  intake: getIntakeForm,
  members: listProjectMembers,
  settings: getProjectSettings,
};

export const projectSharingPage = definePage({
  name: 'projectSharing',
  path: '/projects/:project/sharing',
  title: ({ answers }) => `Sharing · ${answers.links.name}`,
  params: projectSharingParams,
  reads: projectSharingReads,
  inputs: ({ project }) => ({
    links: { projectId: project },
    intake: { projectId: project },
    members: { id: project },
    settings: { id: project },
  }),
  view: ProjectSharingView,
});

export const filterSharingParams = z.object({ filter: integerId });
export const filterSharingReads = { links: listPublicLinks };

export const filterSharingPage = definePage({
  name: 'filterSharing',
  path: '/filters/:filter/sharing',
  title: ({ answers }) => `Sharing · ${answers.links.name}`,
  params: filterSharingParams,
  reads: filterSharingReads,
  inputs: ({ filter }) => ({ links: { filterId: filter } }),
  view: FilterSharingView,
});

const linkFlash = () => ({ text: 'Link created' });
export const createProjectLinkForm = defineForm({
  name: 'newProjectLink',
  path: '/projects/:projectId/links',
  operation: createPublicLink,
  flash: linkFlash,
});
export const createFilterLinkForm = defineForm({
  name: 'newFilterLink',
  path: '/filters/:filterId/links',
  operation: createPublicLink,
  flash: linkFlash,
});
export const updateLinkForm = defineForm({
  name: 'changeLink',
  path: '/links/:id',
  operation: updatePublicLink,
  flash: () => ({ text: 'Link saved' }),
});
export const revokeLinkForm = defineForm({
  name: 'revokeLink',
  path: '/links/:id/revoke',
  operation: revokePublicLink,
  removal: 'asked',
  flash: () => ({ text: 'Link revoked' }),
});
export const createIntakeFormForm = defineForm({
  name: 'newIntakeForm',
  path: '/projects/:projectId/intake',
  operation: createIntakeForm,
  multiline: ['greeting'],
  flash: () => ({ text: 'Intake form turned on' }),
});
export const updateIntakeFormForm = defineForm({
  name: 'changeIntakeForm',
  path: '/projects/:projectId/intake/settings',
  operation: updateIntakeForm,
  multiline: ['greeting'],
  flash: () => ({ text: 'Intake form saved' }),
});
export const deleteIntakeFormForm = defineForm({
  name: 'removeIntakeForm',
  path: '/projects/:projectId/intake/end',
  operation: deleteIntakeForm,
  removal: 'asked',
  flash: () => ({ text: 'Intake form turned off' }),
});
