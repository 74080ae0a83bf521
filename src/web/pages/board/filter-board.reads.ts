import { integerId } from '../../../kernel/operation/schema.ts';
import { listStatusesInProject } from '../../../projects/operations/project-columns.ts';
import { getProject } from '../../../projects/operations/projects.ts';
import { listPeopleChoices, listProjectChoices } from '../../../search/lookup/choices.ts';
import { listFieldChoices } from '../../../tasks/custom-fields/list-custom-fields.ts';
import { listLabelChoices } from '../../../tasks/labels/labels.ts';
import { namePeople } from '../../../tasks/mentions/mentionable.ts';
import { getTask } from '../../../tasks/operations/tasks.ts';
import { getSavedFilter } from '../../../tasks/saved-filters/saved-filters.ts';
import { taskFilter } from '../../../tasks/saved-filters/task-filter.ts';
import { columnParams, columnReads } from './column-reads.ts';

export const filterBoardParams = taskFilter.omit({ archived: true }).extend({
  filter: integerId.optional(),
  ...columnParams,
});
export const filterBoardReads = {
  statuses: listStatusesInProject,
  people: listPeopleChoices,
  projects: listProjectChoices,
  fields: listFieldChoices,
};
export const filterBoardOptionalReads = {
  ...columnReads,
  selectedPeople: namePeople,
  selectedProject: getProject,
  chosenParent: getTask,
  saved: getSavedFilter,
  labels: listLabelChoices,
};
