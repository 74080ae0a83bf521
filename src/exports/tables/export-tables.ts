import { attachmentsTable } from './file-tables.queries.ts';
import { historyTable } from './history-table.queries.ts';
import { peopleTable, teamMembersTable, teamsTable, workspaceTable } from './people-tables.queries.ts';
import { meetingsTable, projectMembersTable, projectsTable } from './project-tables.queries.ts';
import {
  categoriesTable,
  customFieldsTable,
  labelsTable,
  ownFiltersTable,
  savedFiltersTable,
  templatesTable,
  typesTable,
} from './settings-tables.queries.ts';
import type { ExportTable } from './table.ts';
import { commentsTable, relationsTable, tasksTable, timeEntriesTable } from './task-tables.queries.ts';

/** In the order of the archive. Ids in a file refer to items in the same file or an earlier one. */
const workspaceTables: readonly ExportTable[] = [
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

const ownTables: readonly ExportTable[] = [
  workspaceTable,
  peopleTable,
  teamMembersTable,
  projectMembersTable,
  tasksTable,
  commentsTable,
  timeEntriesTable,
  meetingsTable,
  ownFiltersTable,
  templatesTable,
  attachmentsTable,
  historyTable,
];

/** `person` is the member whose own data is exported, or 0 for the whole workspace. */
export function listExportTables(person: number): readonly ExportTable[] {
  return person === 0 ? workspaceTables : ownTables;
}
