import { attachmentsTable } from './file-tables.queries.ts';
import { historyTable } from './history-table.queries.ts';
import { peopleTable, teamMembersTable, teamsTable, workspaceTable } from './people-tables.queries.ts';
import { meetingsTable, projectMembersTable, projectsTable } from './project-tables.queries.ts';
import {
  categoriesTable,
  customFieldsTable,
  labelsTable,
  savedFiltersTable,
  templatesTable,
  typesTable,
} from './settings-tables.queries.ts';
import type { ExportTable } from './table.ts';
import { commentsTable, relationsTable, tasksTable, timeEntriesTable } from './task-tables.queries.ts';

/** In the order of the archive. Ids in a file refer to items in the same file or an earlier one. */
export const exportTables: readonly ExportTable[] = [
  workspaceTable,
  peopleTable,
  teamsTable,
  teamMembersTable,
  categoriesTable,
  typesTable,
  labelsTable,
  customFieldsTable,
  projectsTable,
  projectMembersTable,
  tasksTable,
  relationsTable,
  commentsTable,
  timeEntriesTable,
  meetingsTable,
  savedFiltersTable,
  templatesTable,
  attachmentsTable,
  historyTable,
];
